import { Type as t } from '@sinclair/typebox'
import type { Looking } from '../../kernel/caller.ts'
import { operation } from '../../kernel/operation.ts'
import { type Letter, Unsent } from '../../kernel/outside.ts'
import { letterOf } from './letter.ts'
import { Changes, Preferences, Tried } from './schema.ts'
import { asPerson, change, personOf, preferences } from './store.ts'
import { countTrial } from './trials.ts'

const PLACE = '/api/v1/profile/mail'
const UNAVAILABLE = 'This server has no mail server, so nothing is sent'
const NAME_ONE = 'Whoever runs it can name one: CORK_SMTP_URL'

export const get = operation({
  name: 'mail.get',
  summary: 'Which notifications are mailed to you, and when',
  needs: 'profile:read',
  on: { rest: `GET ${PLACE}`, cli: 'mail show' },
  input: t.Object({}),
  output: Preferences,
  run: (_, ctx) => preferences(ctx),
})

export const update = operation({
  name: 'mail.update',
  summary: 'Have notifications mailed to you at once or once a day, or no longer',
  needs: 'profile:write',
  on: { rest: `PATCH ${PLACE}`, cli: 'mail set' },
  input: Changes,
  output: Preferences,
  async run(input, ctx) {
    const fields = Object.keys(input)
    if (!fields.length) return preferences(ctx)
    await change(ctx, input)
    const made = await preferences(ctx)
    ctx.emit('mail.updated', {}, { fields, mode: made.mode })
    if (made.mode !== 'off' && !made.available)
      ctx.warn('mode', 'unavailable', `${UNAVAILABLE}. ${NAME_ONE}`)
    return made
  },
})

export const test = operation({
  name: 'mail.test',
  summary: 'Send a mail to yourself now, and see what the mail server says',
  needs: 'profile:write',
  on: { rest: `POST ${PLACE}/test`, cli: 'mail test' },
  input: t.Object({}),
  output: Tried,
  async prepare(_, ask) {
    const letter = await probe(ask)
    const { address } = letter.to
    if (!ask.server.mail.available)
      return { sent: false, address, said: `${UNAVAILABLE}. ${NAME_ONE}` }
    countTrial(ask.server, ask.caller.actor_id, ask.now)
    try {
      return { sent: true, address, said: await ask.server.mail.send(letter) }
    } catch (error) {
      if (!(error instanceof Unsent)) throw error
      return { sent: false, address, said: error.message }
    }
  },
  run: async (_, __, tried) => tried,
})

async function probe(ask: Looking): Promise<Letter> {
  const own = asPerson(ask)
  const { email: address } = await ask.read((tx) => personOf(tx, own))
  const { name } = ask.caller
  const { url } = ask.server
  const message = letterOf({
    greeting: `Hello ${name}, mail from Corkboard reaches you.`,
    items: [],
    action: { label: 'Open Corkboard', url },
    foot: 'You asked for this test.',
  })
  return { to: { name, address }, subject: 'Mail from Corkboard reaches you', ...message }
}
