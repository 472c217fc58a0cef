import {
  type ClientCapabilities,
  type InputRequiredSpec,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Caller } from '../../kernel/caller.ts'
import type { OperationResult } from '../../kernel/dispatch.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import { type AnyOperation, requiredScope } from '../../kernel/operation.ts'
import { validate } from '../../kernel/validate.ts'
import { InputNeeded, type Intercept } from './intercept.ts'
import type { Read } from './reader.ts'

type Fields = Record<string, unknown>

interface Round {
  caller: Caller
  read: Read
  /** What the client can ask a person; undefined if the transport cannot carry questions. */
  elicitation: ClientCapabilities['elicitation']
  responses: Fields | undefined
  state: string | undefined
}

/**
 * Lets a person confirm destructive calls and answer decision requests, if the client can ask.
 * Each round of a call is a request of its own, so any server can answer the next one.
 */
export function elicitor(
  { mcpReq }: ServerContext,
  parts: Pick<Round, 'caller' | 'read' | 'elicitation'>,
): Intercept | undefined {
  if (!parts.elicitation) return undefined
  const round = { ...parts, responses: mcpReq.inputResponses, state: mcpReq.requestState<string>() }
  return async (op, input, run) => {
    if (op.name === 'decision_requests.create') return askForDecision(round, run)
    if (takesForm(round) && destroys(op, input, round)) confirm(op, input, round)
    return run()
  }
}

/** A client that declares `elicitation: {}` shows forms; URLs it must declare. */
const takesForm = ({ elicitation }: Round) =>
  elicitation?.form !== undefined || elicitation?.url === undefined

/** Calls that fail anyway are not worth a question. */
function destroys(op: AnyOperation, input: Fields, { caller }: Round): boolean {
  if (!op.destroys || !caller.scopes.has(requiredScope(op, input))) return false
  validate(op.input, input)
  return op.destroys === true || op.destroys(input)
}

const needInput = (spec: InputRequiredSpec) => new InputNeeded(inputRequired(spec))

function confirm(op: AnyOperation, input: Fields, { caller, responses }: Round): void {
  const response = inputResponse(responses, 'confirm')
  if (response.kind !== 'elicit')
    throw needInput({ inputRequests: { confirm: question(op, input, caller) } })
  if (response.action === 'accept' && response.content?.confirm === true) return
  throw fault.forbidden(
    'A person did not confirm this call; nothing was changed',
    'Find out what they want instead; do not repeat the call',
  )
}

const MAX_VALUE_LENGTH = 200

function question({ summary }: AnyOperation, input: Fields, { name }: Caller) {
  const fields = Object.entries(input).map(([field, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const shown = text.slice(0, MAX_VALUE_LENGTH).toWellFormed()
    return `${field}: ${shown}${text.length > MAX_VALUE_LENGTH ? '…' : ''}`
  })
  return inputRequired.elicit({
    message: [`${name} wants to do this on Corkboard: ${summary}`, ...fields].join('\n'),
    requestedSchema: {
      type: 'object',
      properties: {
        confirm: { type: 'boolean', title: 'Do it', description: 'It may not be possible to undo' },
      },
      required: ['confirm'],
    },
  })
}

interface NewDecision {
  decision_request_id: number
  ticket_number: string
  asked: readonly { user_id?: number }[]
}

const DECISION_STATE = /^decision:(\d{1,10})$/

/**
 * Creates the request in the first round, so that it exists even if nobody answers at the client.
 * The state names it in the next round. It needs no signature, because the caller could name any
 * decision request in a call of its own.
 */
async function askForDecision(round: Round, run: () => Promise<OperationResult>) {
  if (round.state === undefined) {
    const result = await run()
    const spec = await decisionQuestion(round, result.data as NewDecision)
    if (spec) throw needInput(spec)
    return result
  }
  const [, id] = DECISION_STATE.exec(round.state) ?? []
  if (id) return { data: await decisionAnswer(round, Number(id)) }
  throw fault.invalid('requestState', 'invalid_format', 'requestState is of another call')
}

/** Only a person can answer. The person behind an agent answers in the app, not through the agent. */
async function decisionQuestion(
  round: Round,
  { decision_request_id, ticket_number, asked }: NewDecision,
): Promise<InputRequiredSpec | undefined> {
  const { caller, read, elicitation } = round
  const isAsked = asked.some(({ user_id }) => user_id === caller.person_id)
  const hasForm = caller.kind === 'person' && takesForm(round)
  const canAsk = hasForm || elicitation?.url !== undefined
  if (!isAsked || !canAsk || !caller.scopes.has('tasks:read')) return undefined
  const request = await read('decision_requests.get', { decision_request_id })
  const message = [`${ticket_number}: ${request.question}`, request.note ?? ''].join('\n').trim()
  const decision = hasForm
    ? inputRequired.elicit({ message, requestedSchema: optionsForm(request.options) })
    : inputRequired.elicitUrl({ message, url: await urlOfTask(read, ticket_number) })
  return { requestState: `decision:${decision_request_id}`, inputRequests: { decision } }
}

const optionsForm = (options: readonly string[]) => ({
  type: 'object' as const,
  properties: {
    selected_option: { type: 'string' as const, title: 'Your decision', enum: [...options] },
    note: { type: 'string' as const, title: 'Why (optional)' },
  },
  required: ['selected_option'],
})

async function urlOfTask(read: Read, ticket_number: string): Promise<string> {
  const task = await read('tasks.get', { ticket_number })
  return (Array.isArray(task) ? task[0]! : task).url
}

async function decisionAnswer({ caller, read, responses }: Round, decision_request_id: number) {
  const response = inputResponse(responses, 'decision')
  const { selected_option, note } = (response.kind === 'elicit' && response.content) || {}
  if (caller.kind === 'person' && typeof selected_option === 'string')
    try {
      return await read('decision_requests.answer', {
        ...{ decision_request_id, selected_option },
        ...(typeof note === 'string' && note.trim() && { note }),
      })
    } catch (error) {
      // Somebody else answered while the form was open.
      if (!(error instanceof Fault && error.code === 'conflict')) throw error
    }
  return read('decision_requests.get', { decision_request_id })
}
