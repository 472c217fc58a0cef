import {
  agentNamed,
  createAgentToken,
  listTokens,
  revokeToken,
  userNamed,
} from '../features/accounts/index.ts'
import { type Command, DATA, type Flag, table, type Values, WrongUsage } from './command.ts'
import { answer, type House, within } from './house.ts'

const USER: Flag = { type: 'string', hint: 'E', about: 'The e-mail of the person who holds it' }
const AGENT: Flag = { type: 'string', hint: 'A', about: 'The UUID or name of the agent' }

export const list: Command = {
  summary: 'Keys and tokens that open the door, without their secrets',
  example: 'cork token list --user ada@example.com',
  flags: {
    user: USER,
    agent: AGENT,
    sessions: { type: 'boolean', about: 'Browsers that are signed in as well' },
    data: DATA,
  },
  async run(values) {
    const found = await within(values, ({ store }) =>
      store.read(async (tx) => {
        const { user, agent, sessions } = values
        const by = agent === undefined ? user && userNamed(tx, user) : agentNamed(tx, agent)
        const holder = (await (by || undefined))?.actor_id
        return listTokens(tx, { holder, sessions: sessions !== undefined })
      }),
    )
    const day = (date: string | null, none: string) => date?.slice(0, 10) ?? none
    const rows = found.map((one) => [
      ...[one.credential_id, one.kind, one.name, `${one.prefix}…`, one.holder],
      ...[day(one.expires_at, 'never'), day(one.last_used_at, 'never'), one.parent_id ?? ''],
    ])
    const titles = [
      'id',
      'kind',
      'name',
      'begins',
      'holder',
      'expires',
      'last used',
      'created with',
    ]
    return answer(values, found, () => table(rows, titles))
  },
}

export const create: Command = {
  summary: 'Make an API key, an access token or an agent’s token; it is shown this once',
  example: 'cork token create --user ada@example.com --kind key --name backup-script',
  flags: {
    user: USER,
    agent: AGENT,
    kind: {
      type: 'string',
      hint: 'K',
      about: 'For a person: key (lasts until revoked, the default) or token (MCP, 30 days)',
      choices: ['key', 'token'],
    },
    name: { type: 'string', hint: 'N', about: 'By which its holder knows it again' },
    data: DATA,
  },
  async run(values) {
    if ((values.user === undefined) === (values.agent === undefined))
      throw new WrongUsage('Say for whom: either --user E or --agent A')
    if (values.agent !== undefined && values.kind !== undefined)
      throw new WrongUsage('--kind is for people; an agent has tokens of one kind')
    const made = await within(values, (house) => make(house, values))
    return answer(values, made, () => `${made.secret}\n\nKeep it now: it is not shown again.`)
  },
}

/** What was made, its secret under one name whatever the kind. */
async function make(house: House, values: Values) {
  const { user, agent, kind = 'key', name = 'cork token create' } = values
  if (agent !== undefined) {
    const { token, ...made } = await createAgentToken(house, agent, name)
    return { ...made, kind: 'agent', name, secret: token }
  }
  const { actor_id } = await house.store.read((tx) => userNamed(tx, user!))
  if (kind === 'token') {
    const made = await house.as(actor_id, 'access_tokens.create', { name })
    const { access_token_id: credential_id, token: secret, expires_at } = made
    return { credential_id, kind, name, expires_at, secret }
  }
  const { api_key_id, key } = await house.as(actor_id, 'api_keys.create', { name })
  return { credential_id: api_key_id, kind, name, secret: key }
}

export const revoke: Command = {
  summary: 'End a key, a token or a browser’s session at once',
  example: 'cork token revoke 12',
  args: [{ name: 'id', about: 'As "cork token list" shows it', required: true }],
  flags: { data: DATA },
  async run(values) {
    const id = values.id!
    if (!/^\d{1,9}$/.test(id)) throw new WrongUsage(`An id is a number, not "${id}"`)
    const done = await within(values, (house) => revokeToken(house, Number(id)))
    return answer(
      values,
      done,
      () =>
        `The ${done.kind} "${done.name}" was revoked${done.with_it ? `, and ${done.with_it} created with it` : ''}.`,
    )
  },
}
