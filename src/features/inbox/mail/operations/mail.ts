import { Type as t } from '@sinclair/typebox'
import type { PrepareContext } from '../../../../kernel/caller.ts'
import { operation } from '../../../../kernel/operation.ts'
import { type EmailMessage, MailError } from '../../../../kernel/services.ts'
import { chooseLanguage, textsOf } from '../../../../languages/index.ts'
import { renderEmail } from '../model/email.ts'
import { Changes, Preferences, Tried } from '../model/schema.ts'
import { changePreferences, personOf, preferences, requirePerson } from '../model/store.ts'
import { countTest } from '../model/test-limit.ts'

const PATH = '/api/v1/profile/mail'
const UNAVAILABLE = 'Email is not set up on this server, so nothing is sent'
const HOW_TO_ENABLE = 'The operator can set CORK_SMTP_URL'

export const get = operation({
  name: 'mail.get',
  summary: 'Show which notifications are emailed to you, and when',
  needs: 'profile:read',
  dependsOn: ['mail', 'profile'],
  on: { rest: `GET ${PATH}`, cli: { usage: 'mail show', example: '' } },
  input: t.Object({}),
  output: Preferences,
  run: (_, ctx) => preferences(ctx),
})

export const update = operation({
  name: 'mail.update',
  summary: 'Choose which notifications are emailed to you: immediately, daily or never',
  needs: 'profile:write',
  on: { rest: `PATCH ${PATH}`, cli: { usage: 'mail set', example: '--mode daily --hour 7' } },
  input: Changes,
  output: Preferences,
  async run(input, ctx) {
    const fields = Object.keys(input)
    if (!fields.length) return preferences(ctx)
    await changePreferences(ctx, input)
    const saved = await preferences(ctx)
    ctx.emit('mail.updated', {}, { fields, mode: saved.mode })
    if (saved.mode !== 'off' && !saved.available)
      ctx.warn('mode', 'unavailable', `${UNAVAILABLE}. ${HOW_TO_ENABLE}`)
    return saved
  },
})

export const test = operation({
  name: 'mail.test',
  summary: "Send yourself a test email, and show the mail server's response",
  needs: 'profile:write',
  on: { rest: `POST ${PATH}/test`, cli: { usage: 'mail test', example: '' } },
  input: t.Object({}),
  output: Tried,
  async prepare(_, ask) {
    const email = await testEmail(ask)
    const { address } = email.to
    if (!ask.server.mail.available)
      return { sent: false, address, said: `${UNAVAILABLE}. ${HOW_TO_ENABLE}` }
    countTest(ask.server, ask.caller.actor_id, ask.now)
    try {
      return { sent: true, address, said: await ask.server.mail.send(email) }
    } catch (error) {
      if (!(error instanceof MailError)) throw error
      return { sent: false, address, said: error.message }
    }
  },
  run: async (_, __, result) => result,
})

async function testEmail(ask: PrepareContext): Promise<EmailMessage> {
  const actor_id = requirePerson(ask)
  const { email: address } = await ask.read((tx) => personOf(tx, actor_id))
  const { name } = ask.caller
  const { url } = ask.server
  const { text, language } = await textsOf(chooseLanguage(ask.caller).language)
  const message = renderEmail({
    language,
    greeting: text('email.test_greeting', { name }),
    items: [],
    action: { label: text('email.test_action'), url },
    foot: text('email.foot_test'),
  })
  return { to: { name, address }, subject: text('email.test_subject'), ...message }
}
