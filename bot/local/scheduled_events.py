"""The scheduled events of servers: the external ones, which a bot makes for what takes place somewhere else than in a voice channel.

Who is allowed to create events can change and delete those that they have made. Source: Discord's documentation, "Guild Scheduled Event".
"""

from datetime import datetime

from bot.local import permissions
from bot.local.blanks import blank
from bot.local.errors import InvalidAction, Json, api_error, invalid_field
from bot.local.gateway import Gateway
from bot.local.rest_server import RestRequest, RestResponse, Router
from bot.local.world import Guild, World

MAX_EVENTS, MAX_USERS = 100, 100
MAX_NAME, MAX_DESCRIPTION, MAX_LOCATION = 100, 1000, 100
EXTERNAL, GUILD_ONLY = 3, 2
SCHEDULED, ACTIVE, COMPLETED, CANCELED = 1, 2, 3, 4
_NEXT = {SCHEDULED: {ACTIVE, CANCELED}, ACTIVE: {COMPLETED}, COMPLETED: set(), CANCELED: set()}
NO_CONTENT = RestResponse(None, 204)


class ScheduledEvents:
    """The events of all servers, and the requests about them."""

    def __init__(self, world: World, gateway: Gateway, router: Router) -> None:
        self._world, self._gateway = world, gateway
        path = "/guilds/{guild}/scheduled-events"
        router.add("GET", path, self._list)
        router.add("POST", path, self._create)
        router.add("GET", path + "/{event}", self._get)
        router.add("PATCH", path + "/{event}", self._edit)
        router.add("DELETE", path + "/{event}", self._delete)
        router.add("GET", path + "/{event}/users", self._list_users)

    # requests

    async def _list(self, request: RestRequest) -> RestResponse:
        guild = self._guild(request)
        return RestResponse([one for one in self._world.scheduled_events.values() if one["guild_id"] == guild.id])

    async def _create(self, request: RestRequest) -> RestResponse:
        guild, body = self._guild(request), request.json
        self._require_permission(guild)
        if sum(one["guild_id"] == guild.id for one in self._world.scheduled_events.values()) >= MAX_EVENTS:
            raise api_error(30038)
        self._validate(body, is_new=True)
        event = blank(
            "scheduled_event",
            id=self._world.clock.new_id(),
            guild_id=guild.id,
            creator_id=self._world.bot.id,
            creator=self._world.bot.user,
            **self._fields(body),
        )
        self._world.save_scheduled_event(event)
        self._gateway.dispatch("GUILD_SCHEDULED_EVENT_CREATE", event)
        return RestResponse(event)

    async def _get(self, request: RestRequest) -> RestResponse:
        return RestResponse(self._find(request))

    async def _edit(self, request: RestRequest) -> RestResponse:
        event, body = self._find(request), request.json
        self._require_permission(self._guild(request))
        self._validate(body, is_new=False, before=event)
        self.change(event, {**self._fields(body), **({"status": body["status"]} if body.get("status") else {})})
        return RestResponse(event)

    async def _delete(self, request: RestRequest) -> RestResponse:
        event = self._find(request)
        self._require_permission(self._guild(request))
        self.delete(event)
        return NO_CONTENT

    async def _list_users(self, request: RestRequest) -> RestResponse:
        event, query = self._find(request), request.query
        limit = int(query.get("limit") or MAX_USERS)
        if not 1 <= limit <= MAX_USERS:
            raise invalid_field(("limit",), "NUMBER_TYPE_MAX", f"int value should be between 1 and {MAX_USERS}.")
        after, before = int(query.get("after") or 0), int(query.get("before") or 2**63)
        users = sorted(map(int, self._world.interested[event["id"]]))
        listed = [user for user in users if after < user < before]
        listed = listed[-limit:] if "before" in query else listed[:limit]
        known = self._world.people
        found = [
            {
                "guild_scheduled_event_id": event["id"],
                "user_id": str(user),
                "user": known[str(user)].user,
                "response": 1,
            }
            for user in listed
        ]
        return RestResponse(found)

    # what people do with events

    def change(self, event: Json, fields: Json) -> None:
        """Somebody changes an event."""
        event |= fields
        self._world.save_scheduled_event(event)
        self._gateway.dispatch("GUILD_SCHEDULED_EVENT_UPDATE", event)

    def delete(self, event: Json) -> None:
        """Somebody deletes an event."""
        self._world.delete_scheduled_event(event)
        self._gateway.dispatch("GUILD_SCHEDULED_EVENT_DELETE", event)

    def set_interested(self, event: Json, user_id: str, *, interested: bool) -> None:
        """Somebody presses *Interested* at an event, or takes it back.

        Raises:
            InvalidAction: they are not in the server.
        """
        if user_id not in self._world.find_guild(event["guild_id"]).members:
            raise InvalidAction("They are not in this server.")
        users = self._world.interested[event["id"]]
        if interested == (user_id in users):
            return
        (users.append if interested else users.remove)(user_id)
        kind = "ADD" if interested else "REMOVE"
        told = {"guild_scheduled_event_id": event["id"], "user_id": user_id, "guild_id": event["guild_id"]}
        self._gateway.dispatch(f"GUILD_SCHEDULED_EVENT_USER_{kind}", told)

    # inside

    def _guild(self, request: RestRequest) -> Guild:
        guild = self._world.find_guild(request.parameters["guild"])
        if self._world.bot.id not in guild.members:
            raise api_error(50001)
        return guild

    def _find(self, request: RestRequest) -> Json:
        guild = self._guild(request)
        event = self._world.scheduled_events.get(request.parameters["event"])
        if event is None or event["guild_id"] != guild.id:
            raise api_error(10070)
        return event

    def _require_permission(self, guild: Guild) -> None:
        if not self._world.permissions_of_member(guild, self._world.bot.id) & permissions.CREATE_EVENTS:
            raise api_error(50013)

    def _fields(self, body: Json) -> Json:
        names = ("name", "description", "scheduled_start_time", "scheduled_end_time", "entity_metadata")
        return {name: body[name] for name in names if name in body}

    def _validate(self, body: Json, *, is_new: bool, before: Json | None = None) -> None:
        needed = (
            "name",
            "scheduled_start_time",
            "scheduled_end_time",
            "privacy_level",
            "entity_type",
            "entity_metadata",
        )
        for name in needed:
            if is_new and body.get(name) is None:
                raise invalid_field((name,), "BASE_TYPE_REQUIRED", "This field is required")
        if is_new and (body["entity_type"], body["privacy_level"]) != (EXTERNAL, GUILD_ONLY):
            raise invalid_field(("entity_type",), "BASE_TYPE_CHOICES", "This stand-in knows external events only.")
        for name, maximum in (("name", MAX_NAME), ("description", MAX_DESCRIPTION)):
            if len(body.get(name) or "") > maximum:
                raise invalid_field((name,), "BASE_TYPE_BAD_LENGTH", f"Must be {maximum} or fewer in length.")
        location = (body.get("entity_metadata") or {}).get("location", "")
        if ("entity_metadata" in body) and not 1 <= len(location) <= MAX_LOCATION:
            raise invalid_field(("entity_metadata", "location"), "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100.")
        self._validate_times({**(before or {}), **body}, may_be_past="scheduled_start_time" not in body)
        status = body.get("status")
        if status and before is not None and status not in {before["status"], *_NEXT[before["status"]]}:
            raise invalid_field(("status",), "GUILD_SCHEDULED_EVENT_STATUS", "Cannot go to this status.")

    def _validate_times(self, event: Json, *, may_be_past: bool) -> None:
        starts, ends = (datetime.fromisoformat(event[f"scheduled_{one}_time"]) for one in ("start", "end"))
        if not may_be_past and starts.timestamp() <= self._world.clock.now():
            raise invalid_field(
                ("scheduled_start_time",), "GUILD_SCHEDULED_EVENT_SCHEDULE_PAST", "Cannot schedule event in the past."
            )
        if ends <= starts:
            raise invalid_field(
                ("scheduled_end_time",), "GUILD_SCHEDULED_EVENT_END_BEFORE_START", "Cannot end before it starts."
            )
