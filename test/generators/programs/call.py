import sys

from corkboard_client import AuthenticatedClient
from corkboard_client.api.tasks import tasks_get
from corkboard_client.models import TaskResponse

url, token, task = sys.argv[1:]
answer = tasks_get.sync(task, client=AuthenticatedClient(base_url=url, token=token))
assert isinstance(answer, TaskResponse)
print(answer.data.title)
