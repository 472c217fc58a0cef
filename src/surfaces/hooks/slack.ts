import { type Static, Type as t } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Elysia } from 'elysia'
import type { Caller, Clock } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import { fromClient } from '../body.ts'
import { type Gateway, type IncomingRequest, json } from '../gateway.ts'
import { inLanguage, say } from '../language.ts'
import { verifySlack } from './signature.ts'

/** What the buttons of Slack messages need from the rest of the server. */
export interface SlackButtons {
  gateway: Gateway
  clock: Clock
  channels: {
    /** The owner and the signing secret of a channel that has one. */
    find(channel_id: number): Promise<{ owner_id: number; signing_secret: string } | undefined>
    /** The secret that is checked for unknown channels, so that they take as long. */
    decoySecret(): Promise<string>
  }
  answers: {
    find(token: string): Promise<{ caller: Caller }>
    give(token: string): Promise<{ question: AnsweredQuestion; isAccepted: boolean }>
  }
  /** Posts JSON to the address that Slack gave for changing the message. */
  respond(url: string, body: object): Promise<void>
}

interface AnsweredQuestion {
  text: string
  outcome: { by: string | undefined; answer: string | null } | undefined
}

const Interaction = t.Object({
  type: t.Literal('block_actions'),
  response_url: t.String(),
  actions: t.Array(t.Object({ value: t.Optional(t.String()) }), { minItems: 1 }),
})

const MAX_BYTES = 256 * 1024

/** The address that Slack calls when somebody presses a button of a message. */
export function slackButtons(parts: SlackButtons) {
  const serve = (incoming: IncomingRequest) =>
    parts.gateway.serve(incoming, 'open', async (context) => {
      const { request, params } = incoming
      const body = await readText(request)
      const channel_id = Number(/^\d{1,9}$/.exec(params!.channel_id!)?.[0] ?? 0)
      const channel = await findChannel(parts, channel_id, request.headers, body)
      const key = channel && `slack:${channel_id}`
      await parts.gateway.count(context, channel ? 'receiver' : 'base', key)
      if (!channel) throw new Fault('unauthenticated', 'Unknown address or invalid signature')
      await answer(parts, channel.owner_id, request, interactionIn(body))
      return json({ success: true })
    })
  return new Elysia({ name: 'slack' }).post('/hooks/slack/:channel_id', serve as never, {
    parse: 'none',
    detail: { hide: true } as never,
  })
}

async function readText(request: Request): Promise<string> {
  const tooLarge = () => new Fault('too_large', 'The request is larger than 256 kB')
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BYTES) throw tooLarge()
  const text = await fromClient(request, request.text())
  if (text.length > MAX_BYTES) throw tooLarge()
  return text
}

async function findChannel(
  { channels, clock }: SlackButtons,
  channel_id: number,
  headers: Headers,
  body: string,
) {
  const channel = await channels.find(channel_id)
  const secret = channel?.signing_secret ?? (await channels.decoySecret())
  const bytes = new TextEncoder().encode(body)
  return verifySlack({ headers, bytes, now: clock() }, secret) ? channel : undefined
}

/** Undefined for what is no press of one of our buttons, such as a link that was opened. */
function interactionIn(body: string): Static<typeof Interaction> | undefined {
  try {
    const payload: unknown = JSON.parse(new URLSearchParams(body).get('payload') ?? '')
    return Value.Check(Interaction, payload) ? payload : undefined
  } catch {
    throw new Fault('invalid', 'payload is not valid JSON', { code: 'invalid_format' })
  }
}

/** Slack shows an error after three seconds, so it is not waited for the message to change. */
async function answer(
  { answers, respond }: SlackButtons,
  owner_id: number,
  request: Request,
  interaction: Static<typeof Interaction> | undefined,
) {
  const token = interaction?.actions[0]?.value?.split('/').at(-1)
  if (!interaction || !token) return
  const { caller } = await answers.find(token)
  // A link in the message of another person's channel was not written by this server.
  if (caller.actor_id !== owner_id) throw new Fault('not_found', 'This link is not valid')
  const { question } = await answers.give(token)
  const text = await inLanguage(request, caller, async () => resultText(question))
  void respond(interaction.response_url, { replace_original: true, text })
}

function resultText({ text, outcome }: AnsweredQuestion): string {
  const question = escapeText(text)
  if (!outcome) return `${question}\n${say('pages.link_has_expired')}`
  const by = outcome.by && escapeText(outcome.by)
  const result = outcome.answer ? escapeText(outcome.answer) : say('pages.answered')
  return `${question}\n*${result}*${by ? ` (${by})` : ''}`
}

/** The characters with a meaning in Slack's markup. */
const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
