import {
  createAgentToken,
  listTokens,
  resolveAgent,
  resolveUser,
  revokeToken,
} from '../features/identity/accounts/model/index.ts'
import { type Command, DATA, type Flag, table, type Values, WrongUsage } from './command.ts'
import { type LocalContext, printResult, withLocalContext } from './local-context.ts'

const USER: Flag = { type: 'string', hint: 'E', about: 'Email of the person it belongs to' }
const AGENT: Flag = { type: 'string', hint: 'A', about: 'UUID or name of the agent' }

export const list: Command = {
  summary: 'List active keys and tokens, without their secrets',
  example: 'cork token list --user ada@example.com',
  flags: {
    user: USER,
    agent: AGENT,
    sessions: { type: 'boolean', about: 'Include signed-in browsers' },
    data: DATA,
  },
  async run(values) {
    const tokens = await withLocalContext(values, ({ store }) =>
      store.read(async (tx) => {
        const { user, agent, sessions } = values
        const actor = agent === undefined ? user && resolveUser(tx, user) : resolveAgent(tx, agent)
        const holder = (await (actor || undefined))?.actor_id
        return listTokens(tx, { holder, sessions: sessions !== undefined })
      }),
    )
    const day = (date: string | null, none: string) => date?.slice(0, 10) ?? none
    const rows = tokens.map((token) => [
      token.credential_id,
      token.kind,
      token.name,
      `${token.prefix}…`,
      token.holder,
      day(token.expires_at, 'never'),
      day(token.last_used_at, 'never'),
      token.parent_id ?? '',
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
    return printResult(values, tokens, () => table(rows, titles))
  },
}

export const create: Command = {
  summary: 'Create an API key, an access token or an agent token; it is shown only once',
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
    name: { type: 'string', hint: 'N', about: 'Name of the key or token' },
    data: DATA,
  },
  async run(values) {
    if ((values.user === undefined) === (values.agent === undefined))
      throw new WrongUsage('Give either --user E or --agent A')
    if (values.agent !== undefined && values.kind !== undefined)
      throw new WrongUsage('--kind is only for people; agents have one kind of token')
    const created = await withLocalContext(values, (context) => createToken(context, values))
    return printResult(
      values,
      created,
      () => `${created.secret}\n\nSave it now: it is not shown again.`,
    )
  },
}

/** Creates a credential. The result names the secret `secret`, whatever the kind. */
async function createToken(context: LocalContext, values: Values) {
  const { user, agent, kind = 'key', name = 'cork token create' } = values
  if (agent !== undefined) {
    const { token, ...created } = await createAgentToken(context, agent, name)
    return { ...created, kind: 'agent', name, secret: token }
  }
  const { actor_id } = await context.store.read((tx) => resolveUser(tx, user!))
  if (kind === 'token') {
    const created = await context.as(actor_id, 'access_tokens.create', { name })
    const { access_token_id: credential_id, token: secret, expires_at } = created
    return { credential_id, kind, name, expires_at, secret }
  }
  const { api_key_id, key } = await context.as(actor_id, 'api_keys.create', { name })
  return { credential_id: api_key_id, kind, name, secret: key }
}

export const revoke: Command = {
  summary: 'Revoke a key, a token or a browser session at once',
  example: 'cork token revoke 12',
  args: [{ name: 'id', about: 'Id of the key or token, from "cork token list"', required: true }],
  flags: { data: DATA },
  async run(values) {
    const id = values.id!
    if (!/^\d{1,9}$/.test(id)) throw new WrongUsage(`The id must be a number, not "${id}"`)
    const revoked = await withLocalContext(values, (context) => revokeToken(context, Number(id)))
    return printResult(
      values,
      revoked,
      () =>
        `The ${revoked.kind} "${revoked.name}" was revoked${revoked.with_it ? `, and ${revoked.with_it} created with it` : ''}.`,
    )
  },
}
