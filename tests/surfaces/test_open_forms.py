"""Forms that come back as they were filled in."""

from bot.render.message.panel import ChoiceField, FileField, Form, Option, TextField
from bot.surfaces.open_forms import REMEMBERED_MAX, OpenForms

FORM = Form(
    "Plan",
    "p:x:plan:1",
    (
        TextField("when", "When", value="today"),
        ChoiceField("every", "Again", (Option("weekly", "w", default=True), Option("once", "o"))),
        FileField("file", "File"),
    ),
)


def test_form_comes_back_to_who_filled_it_in() -> None:
    forms = OpenForms()
    forms.opened(5, FORM)
    assert forms.refused(5, FORM.custom_id, {"when": "Blursday", "every": "o", "file": "3"}, 70)
    again = forms.again(5, 70)
    assert again is not None and forms.again(6, 70) is None
    when, every, file = again.fields
    assert isinstance(when, TextField) and when.value == "Blursday" and file == FORM.fields[2]
    assert isinstance(every, ChoiceField) and [one.default for one in every.options] == [False, True]


def test_only_forms_that_were_opened_come_back() -> None:
    forms = OpenForms()
    forms.opened(5, FORM)
    assert not forms.refused(6, FORM.custom_id, {"when": "x"}, 70)
    assert not forms.refused(5, FORM.custom_id, {}, 70), "a click is no form"
    forms.refused(5, FORM.custom_id, {"when": "x"}, 71)
    forms.forget(5)
    assert forms.again(5, 71) is None


def test_only_so_many_forms_are_remembered() -> None:
    forms = OpenForms()
    for number in range(REMEMBERED_MAX + 1):
        forms.opened(number, FORM)
        forms.refused(number, FORM.custom_id, {"when": "x"}, number)
    assert forms.again(0, 0) is None and forms.again(REMEMBERED_MAX, REMEMBERED_MAX) is not None
    assert not forms.refused(0, FORM.custom_id, {"when": "x"}, 1), "neither those that nobody sends"
