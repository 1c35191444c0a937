"""Two people and a table: from /table open to a paid pot."""

from pathlib import Path

from tests.e2e.evening import evening


async def test_a_hand_from_open_to_paid(tmp_path: Path) -> None:
    async with evening(tmp_path) as (discord, dealer):
        ann, bo = await discord.person("Ann"), await discord.person("Bo")
        print(await ann.slash("table open"))
        print(await ann.click("Take a seat"))
        print(await bo.click("Take a seat"))
        await ann.until("to act", timeout=10)
        print(ann.screen())
        print(ann.dms())
        for _ in range(12):
            for who in (ann, bo):
                if f"@{who.name} to act" in who.screen().replace("**", ""):
                    label = next(b for b in reversed(who.buttons()) if b.startswith(("Call", "Check")))
                    print(who.name, label, await who.click(label))
            if "wins" in ann.screen():
                break
        print(ann.screen())
        assert False
