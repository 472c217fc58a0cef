import { eq } from 'drizzle-orm'
import type { Caller, Clock, Server, Tx } from '../../../../kernel/caller.ts'
import type { Dispatch, Store } from '../../../../kernel/dispatch.ts'
import { Fault, fault } from '../../../../kernel/fault.ts'
import type { AnyOperation } from '../../../../kernel/operation.ts'
import { findVisibleProject } from '../../../boards/projects/model/index.ts'
import { callerFor } from '../../../identity/callers/model/index.ts'
import { people } from '../../../identity/people/model/index.ts'
import { type AnswerLink, readToken, tokenOf, unknownLink } from './link.ts'
import { type Question, questionOf } from './question.ts'

interface Services {
  store: Store
  server: Pick<Server, 'url' | 'sign'>
  clock: Clock
  catalog: readonly AnyOperation[]
  dispatch: Dispatch
}

/** A question for the person of a link, and how the link answers it. */
export interface ShownQuestion extends Question {
  caller: Caller
  subject: AnswerLink['subject']
  /** The option of the link. */
  selected: string | undefined
  /** What each answer posts to: one token for each option, or one for a text or nothing. */
  tokens: readonly string[]
  isExpired: boolean
}

export interface GivenAnswer {
  question: ShownQuestion
  /** False if somebody had answered before. */
  isAccepted: boolean
}

/** Shows the question of a signed link, and answers it in the name of its person. */
export function answerService(services: Services) {
  const { store, server, clock } = services
  const find = async (token: string): Promise<ShownQuestion> => {
    const link = await readToken(server, token)
    const found = await store.read(async (tx) => load(tx, link))
    return { ...found, ...(await linkState(server, link, found, clock())) }
  }
  return {
    find,
    async give(token: string, text?: string): Promise<GivenAnswer> {
      const question = await find(token)
      if (question.outcome || question.isExpired) return { question, isAccepted: false }
      const link = await readToken(server, token)
      const isAccepted = await perform(services, link, question, text)
      return { question: await find(token), isAccepted }
    },
  }
}
async function load(tx: Tx, link: AnswerLink): Promise<Question & { caller: Caller }> {
  const question = await questionOf(tx, link)
  const caller = await callerOf(tx, link)
  if (!(await findVisibleProject({ tx, caller }, question.task.project_id))) throw unknownLink()
  return { ...question, caller }
}

/** The person of a link with the rights of today. The link cannot do anything but answer. */
async function callerOf(tx: Tx, { actor_id, id }: AnswerLink): Promise<Caller> {
  const [person] = await tx
    .select({ deactivated_at: people.deactivated_at })
    .from(people)
    .where(eq(people.actor_id, actor_id))
  if (!person || person.deactivated_at) throw unknownLink()
  const caller = await callerFor(tx, actor_id)
  const scopes = new Set([...caller.scopes].filter((scope) => scope === 'tasks:write'))
  return { ...caller, scopes, credential: `answer:${id}` }
}

async function linkState(
  server: Pick<Server, 'sign'>,
  link: AnswerLink,
  { options }: Question,
  now: Date,
) {
  const { subject, option, expires_at } = link
  const links = subject === 'decision' ? options.map((_, at) => ({ ...link, option: at })) : [link]
  return {
    subject,
    selected: option === null ? undefined : options[option],
    tokens: await Promise.all(links.map((one) => tokenOf(server, one))),
    isExpired: expires_at <= now,
  }
}

/** Dispatches the operation that a person in the app would use. False if somebody was faster. */
async function perform(
  { catalog, dispatch }: Services,
  link: AnswerLink,
  { caller, task, selected }: ShownQuestion,
  text: string | undefined,
): Promise<boolean> {
  const { name, input, key } = callFor(link, task.task_id, selected, text)
  const operation = catalog.find((one) => one.name === name)!
  try {
    const { replayed } = await dispatch(caller, operation, input, key)
    return !replayed
  } catch (error) {
    if (error instanceof Fault && error.code === 'conflict') return false
    throw error
  }
}

function callFor(
  { subject, id, prompts }: AnswerLink,
  task_id: number,
  selected: string | undefined,
  text: string | undefined,
): { name: string; input: object; key?: string } {
  const note = text?.trim() ? { note: text } : {}
  if (subject === 'escalation')
    return { name: 'escalations.resolve', input: { task_id, escalation_id: id, ...note } }
  if (subject === 'decision')
    return {
      name: 'decision_requests.answer',
      input: { decision_request_id: id, selected_option: chosen(selected), ...note },
    }
  if (!text?.trim()) throw fault.invalid('text', 'required', 'Write an answer')
  // Nothing in a run itself prevents two prompts. Of two calls with one key, only the first counts.
  return { name: 'runs.prompt', input: { run_id: id, text }, key: `answer-run-${id}-${prompts}` }
}

function chosen(selected: string | undefined): string {
  if (selected !== undefined) return selected
  throw fault.invalid('option', 'required', 'Choose one of the options')
}
