import { type Fault, fault } from '../../kernel/fault.ts'
import { readJson } from '../body.ts'
import {
  type Gateway,
  type IncomingRequest,
  json,
  jsonRefusal,
  type RequestContext,
} from '../gateway.ts'
import { inLanguage } from '../language.ts'
import { type GivenAnswer, type Question, questionPage, resultPage } from './answer-pages.ts'
import { refusalPage } from './layout.ts'
import { submit } from './parts.ts'
import type { Route } from './unsubscribe.ts'
import { readForm } from './wire.ts'

/** What these pages need from answers. */
export interface Answers {
  find(token: string): Promise<Question>
  give(token: string, text?: string): Promise<GivenAnswer>
}

const PATH = '/answers/:token'

/**
 * Adds the routes of signed answers. GET changes nothing, because programs that preview links open
 * them. POST accepts cross-origin requests without a session, because buttons of notifications send
 * them: the token in the address is the credential.
 */
export function answerForms(answers: Answers, gateway: Gateway, route: Route) {
  route('GET', PATH, (incoming) =>
    gateway.serve(
      incoming,
      'anyone',
      async () => {
        const question = await answers.find(incoming.params!.token!)
        return inLanguage(incoming.request, question.caller, async () => questionPage(question))
      },
      refusalPage,
    ),
  )
  route('POST', PATH, (incoming) =>
    gateway.serve(
      incoming,
      'anyone',
      (context) =>
        wantsJson(incoming.request)
          ? giveAsProgram(answers, incoming)
          : giveAsForm(answers, context, incoming),
      wantsJson(incoming.request) ? jsonRefusal : refusalPage,
    ),
  )
}

const wantsJson = ({ headers }: Request) => /\bjson\b/.test(headers.get('accept') ?? '')

async function giveAsForm(
  answers: Answers,
  context: RequestContext,
  { request, params }: IncomingRequest,
): Promise<Response> {
  const token = params!.token!
  const values = request.headers.has('content-type')
    ? await readForm(request)
    : new URLSearchParams()
  const { caller } = await answers.find(token)
  return inLanguage(request, caller, () =>
    submit(
      context,
      'answer',
      values,
      async () => resultPage(await answers.give(token, values.get('text') ?? undefined)),
      async (submitted, status) => questionPage(await answers.find(token), status, submitted),
    ),
  )
}

/** Answers 409 if somebody had answered before, with the answer that counts. */
async function giveAsProgram(
  answers: Answers,
  { request, params }: IncomingRequest,
): Promise<Response> {
  const given = await answers.give(params!.token!, await textIn(request))
  const { question, isAccepted } = given
  if (!isAccepted) throw endedFault(question)
  const { ticket_number } = question.task
  const { answer = null, by = null } = question.outcome ?? {}
  return json({ success: true, data: { ticket_number, answer, by } })
}

export function endedFault({ outcome }: Question): Fault {
  if (!outcome) return fault.conflict('This link has expired', {}, 'Open the task in Corkboard')
  const { by, answer, state } = outcome
  const what = answer ? `: ${answer}` : ''
  return fault.conflict(by ? `${by} answered before${what}` : `This is already ${state}`, {})
}

/** The text of a JSON body; ntfy and browsers send none. */
async function textIn(request: Request): Promise<string | undefined> {
  if (!/json/.test(request.headers.get('content-type') ?? '')) return undefined
  const body = await readJson(request)
  const text = (body as { text?: unknown } | undefined)?.text
  if (text === undefined || typeof text === 'string') return text
  throw fault.invalid('text', 'invalid_type', 'text must be a string')
}
