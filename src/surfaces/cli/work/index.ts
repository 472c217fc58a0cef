import { hostname } from 'node:os'
import type { OperationDescription } from '../../../kernel/operation.ts'
import { Client } from '../client.ts'
import { type Command, CommandError, UsageError, type Values } from '../command.ts'
import type { CommandIO } from '../io.ts'
import { accountOf } from '../logins.ts'
import { findBoardId, restSource } from '../resolve-names.ts'
import { fetchSelf } from '../whoami.ts'
import { repositoryOf } from './repository.ts'
import { type ClaimedTask, type Outcome, Session } from './session.ts'

const DEFAULT_TTL_S = 120
const INTERRUPTED = 130

export const work = (catalog: readonly OperationDescription[], io: CommandIO): Command => ({
  summary: 'Let a coding agent work on a task, in a git worktree of its own',
  about:
    'Claims the task, or the next one of a board, and runs the command in a new worktree and branch. The task is its standard input, its output becomes the transcript of a run, and at the end the task is handed over. If this is killed, the task becomes available again. It needs the token of an agent in CORK_TOKEN.',
  example: "cork work HOM-1 --agent 'claude -p'",
  args: [{ name: 'ticket_number', about: 'The task; without it, the next one of --project' }],
  flags: {
    agent: {
      type: 'string',
      hint: 'COMMAND',
      about: 'The command to run, by sh; it reads the task from its standard input',
      required: true,
    },
    project: {
      type: 'string',
      hint: 'BOARD',
      about: 'Take the next task of this board: number, key or title',
    },
    repository: { type: 'string', hint: 'FOLDER', about: 'The git repository; default: here' },
    to: {
      type: 'string',
      hint: 'WHO',
      about: 'Who takes over: a name, an email or an agent UUID; default: the owner of the agent',
    },
    ttl: {
      type: 'string',
      hint: 'SECONDS',
      about: `How long the task stays claimed if this is killed, from 10 on; default ${DEFAULT_TTL_S}`,
    },
    loop: { type: 'boolean', about: 'Go on with the next task until none is left' },
  },
  async run(values) {
    const self = await fetchSelf(accountOf(io), catalog, io)
    if (self.profile.kind !== 'agent')
      throw new CommandError(
        'Only an agent can work on tasks: set CORK_TOKEN to the token of an agent. Create one with "cork agents create"',
      )
    const repository = await repositoryOf(values.repository ?? process.cwd())
    const client = new Client(io)
    const ttl = ttlOf(values)
    const claim = await claimer(client, catalog, values, ttl)
    const runOn = (task: ClaimedTask) =>
      new Session({ client, io, repository, task, ttl }).run(values.agent!, values.to ?? 'owner')
    const isLoop = values.loop !== undefined && values.ticket_number === undefined
    return workOnTasks(claim, runOn, isLoop)
  },
})

/** Works on one task, or on tasks until none is left. Returns the exit code. */
async function workOnTasks(
  claim: Claim,
  runOn: (task: ClaimedTask) => Promise<Outcome>,
  isLoop: boolean,
): Promise<number> {
  let code = 0
  for (let count = 0; ; count++) {
    const task = await claim(count === 0)
    if (!task) return code
    const outcome = await runOn(task)
    if (outcome === 'interrupted') return INTERRUPTED
    if (outcome !== 'done') code = 1
    if (!isLoop) return code
  }
}

/** Milliseconds. */
function ttlOf({ ttl }: Values): number {
  const seconds = Number(ttl ?? DEFAULT_TTL_S)
  if (Number.isInteger(seconds) && seconds >= 10 && seconds <= 14_400) return seconds * 1000
  throw new UsageError(`--ttl must be whole seconds from 10 to 14400, not "${ttl}"`)
}

/** Claims a task. Undefined if there is none and that is no error. */
type Claim = (isRequired: boolean) => Promise<ClaimedTask | undefined>

async function claimer(
  client: Client,
  catalog: readonly OperationDescription[],
  { ticket_number, project }: Values,
  ttl: number,
): Promise<Claim> {
  if (ticket_number === undefined && project === undefined)
    throw new CommandError('Name the task, such as HOM-1, or a board with --project')
  const term = { owner_id: `work on ${hostname()}, process ${process.pid}`, ttl }
  if (ticket_number !== undefined) {
    const body = { ticket_number, ...term }
    const path = '/api/mcp/tasks/lease/claim'
    return async () => (await client.send({ method: 'POST', path, body })).data as ClaimedTask
  }
  const path = `/api/v1/projects/${await findBoardId(project!, restSource(client, catalog))}/next`
  return async (isRequired) => {
    const { data, warnings } = await client.send({
      ...{ method: 'POST', path, body: { claim: true, ...term } },
    })
    const [row] = data as (ClaimedTask & { lease: { lease_id: string } })[]
    if (row) return { ticket_number: row.ticket_number, lease_id: row.lease.lease_id }
    if (!isRequired) return undefined
    throw new CommandError(warnings?.[0]?.message ?? 'No task is free to claim')
  }
}
