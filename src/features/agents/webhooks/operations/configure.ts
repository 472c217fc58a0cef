import { type Static, Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { closestWord } from '../../../../kernel/validate.ts'
import { findVisibleProject, ProjectId } from '../../../boards/projects/model/index.ts'
import { agentFor } from '../../../identity/callers/model/index.ts'
import { lockTeam } from '../../../identity/teams/model/index.ts'
import { AgentRef, type NamedAgent } from '../../agents/model/index.ts'
import { EVENTS, gather, isEvent } from '../../messages/model/index.ts'
import { findWebhookAgent } from '../model/access.ts'
import { Configured, Events, Url } from '../model/schema.ts'
import { newSecret } from '../model/secrets.ts'
import { lockWebhook, selectMessages, setWebhook, type Webhook } from '../model/store.ts'
import { webhooks } from '../model/tables.ts'
import { urlFault } from '../model/url-fault.ts'
import { emitWebhook, fieldsOf, PLACE } from './webhooks.ts'

const Input = t.Object({
  agent_id: AgentRef,
  url: t.Optional(Url),
  events: t.Optional(Events),
  active: t.Optional(t.Boolean()),
  project_id: t.Optional(
    t.Union([ProjectId, t.Null()], { description: 'Only events of this board; null: all boards' }),
  ),
})
type Input = Static<typeof Input>

export const configure = operation({
  name: 'webhooks.configure',
  summary: 'Create or change the webhook of an agent; a new one requires url and events',
  needs: 'profile:write',
  on: {
    rest: `PUT ${PLACE}`,
    mcp: 'svc_webhooks.configure',
    cli: {
      usage: 'webhooks configure <agent_id>',
      example: 'Bot --url https://example.com/hook --events task.assigned,comment.mention',
    },
  },
  input: Input,
  output: Configured,
  async prepare({ url, events }, { server }) {
    checkEvents(events ?? [])
    if (url !== undefined)
      await server.post.check(url).catch((error) => {
        throw urlFault(error, url)
      })
    return newSecret(server)
  },
  async run(input, ctx, { seed, secret }) {
    const agent = await findWebhookAgent(ctx, input.agent_id)
    await lockTeam(ctx.tx, agent.team_id)
    checkNotArchived(agent)
    if (input.project_id) await checkBoard(ctx, agent, input.project_id)
    const before = await lockWebhook(ctx.tx, agent)
    if (before?.active) await gatherAll(ctx, agent)
    const webhook = before
      ? await updateWebhook(ctx, before, input)
      : await insertWebhook(ctx, agent, { ...input, seed })
    await selectMessages(ctx.tx, webhook)
    const { events, active, project_id } = webhook
    // Only the host is logged: the path of the URL may be secret.
    const { host } = new URL(webhook.url)
    emitWebhook(ctx, 'configured', agent, { created: !before, host, events, active, project_id })
    return { ...fieldsOf(agent, webhook), created: !before, ...(!before && { secret }) }
  },
})

function checkEvents(events: readonly string[]): void {
  const index = events.findIndex((name) => !isEvent(name))
  if (index < 0) return
  const near = closestWord(events[index]!, EVENTS)
  throw fault.invalid(
    `events.${index}`,
    'out_of_range',
    `There is no event ${events[index]}`,
    events[index],
    near ? `Did you mean ${near}?` : `Available events: ${EVENTS.join(', ')}`,
  )
}

function checkNotArchived({ state, name }: NamedAgent): void {
  if (state === 'archived')
    throw fault.conflict(`${name} is archived and cannot have a webhook`, {
      field: 'agent_id',
      state,
    })
}

/** Both the caller and the agent must be able to see the board. */
async function checkBoard(ctx: Context, agent: NamedAgent, project_id: number): Promise<void> {
  const caller = await agentFor(ctx.tx, agent.actor_id)
  const isSeen =
    (await findVisibleProject(ctx, project_id)) &&
    (!caller || (await findVisibleProject({ tx: ctx.tx, caller }, project_id)))
  if (!isSeen)
    throw fault.invalid(
      'project_id',
      'not_found',
      `There is no board ${project_id} that the agent can see`,
      project_id,
      'Leave it out to receive events of every board that the agent can see',
    )
}

/** The maximum number of reads before the new configuration counts. */
const MAX_ROUNDS = 20

/** Earlier events still go to the webhook under its old configuration. */
async function gatherAll({ tx, now }: Context, agent: NamedAgent): Promise<void> {
  const caller = await agentFor(tx, agent.actor_id)
  for (let round = 0; caller && round < MAX_ROUNDS; round++)
    if (!(await gather(tx, caller, { now }))) return
}

async function updateWebhook(
  { tx, now }: Context,
  before: Webhook,
  input: Input,
): Promise<Webhook> {
  const { url = before.url, events, active = before.active, project_id } = input
  const reset = url === before.url ? {} : { failures: 0, resting_until: null }
  return setWebhook(tx, before, {
    url,
    active,
    updated_at: now,
    ...reset,
    events: events ? [...new Set(events)] : before.events,
    project_id: project_id === undefined ? before.project_id : project_id,
  })
}

async function insertWebhook(
  { tx, now }: Context,
  { team_id, actor_id }: NamedAgent,
  { url, events, active = true, project_id = null, seed }: Input & { seed: string },
): Promise<Webhook> {
  if (url === undefined) throw requiredField('url')
  if (events === undefined) throw requiredField('events')
  const [row] = await tx
    .insert(webhooks)
    .values({
      team_id,
      actor_id,
      url,
      active,
      project_id,
      seed,
      failures: 0,
      events: [...new Set(events)],
      created_at: now,
      updated_at: now,
    })
    .returning()
  return row!
}

const requiredField = (field: 'url' | 'events') =>
  fault.invalid(
    field,
    'required',
    `${field} is required, because this agent has no webhook yet`,
    undefined,
    field === 'url' ? 'Send an https URL' : `At least one of ${EVENTS.join(', ')}`,
  )
