import type { ErrorText } from './types.ts'

/** Why a model did not answer, in words for users. */
export class ModelError extends Error {
  constructor(
    readonly trouble: ErrorText,
    /** Whether a retry may succeed; `retryAfterMs` is the wait that the service asks for. */
    readonly isRetryable = false,
    readonly retryAfterMs?: number,
  ) {
    super(trouble.message)
  }
}

export const noModel: ErrorText = {
  error: 'No model',
  message: 'No model is set on this server, so chat is unavailable',
  hint: 'The server operator sets CORK_AI_BASE_URL and CORK_AI_MODEL, and CORK_AI_API_KEY if the service requires a key, and restarts the server: https://api.openai.com/v1, https://api.anthropic.com/v1, or http://127.0.0.1:11434/v1 for Ollama; everything else works without a model',
}

const OPERATOR = 'The server operator'
const AGAIN = 'Try again'

export const unreachable = () =>
  new ModelError(
    {
      error: 'Model unreachable',
      message: 'The model service cannot be reached.',
      hint: `${AGAIN} in a moment. ${OPERATOR} should check with "cork doctor" that it runs and that CORK_AI_BASE_URL is correct.`,
    },
    true,
  )

export const connectionLost = () =>
  new ModelError(
    {
      error: 'Answer cut off',
      message: 'The connection to the model was lost before the answer was complete.',
      hint: `${AGAIN}. What was done so far is kept.`,
    },
    true,
  )

export const idleTimeout = (ms: number) =>
  new ModelError({
    error: 'Model silent',
    message: `The model sent nothing for ${seconds(ms)}.`,
    hint: `${AGAIN}. If this happens often, the model is too slow for its machine: ${OPERATOR.toLowerCase()} should set a smaller CORK_AI_MODEL.`,
  })

export const stepTimeout = (ms: number) =>
  new ModelError({
    error: 'Answer too long',
    message: `The model did not finish one answer within ${seconds(ms)}.`,
    hint: 'Ask for less at once.',
  })

export const unexpectedService = (reason: string) =>
  new ModelError({
    error: 'Not a model',
    message: `This is not a model service: ${reason}.`,
    hint: `${OPERATOR} should correct CORK_AI_BASE_URL, which usually ends in /v1, and CORK_AI_PROVIDER: openai or anthropic.`,
  })

export const serviceFailed = (serviceText: string) =>
  new ModelError(
    {
      error: 'Model in trouble',
      message: `The model service stopped with an error: ${serviceText}`,
      hint: `${AGAIN} in a moment.`,
    },
    true,
  )

export const emptyAnswer = () =>
  new ModelError(
    {
      error: 'Empty answer',
      message: 'The model returned an empty answer.',
      hint: `${AGAIN}, or rephrase your message.`,
    },
    true,
  )

export const contentFiltered = () =>
  new ModelError({
    error: 'Answer refused',
    message: 'The model, or the filter of its service, refused to answer this.',
    hint: 'Rephrase your message, or start a new thread.',
  })

export const answerTooLong = () =>
  new ModelError({
    error: 'Answer cut short',
    message: 'The answer exceeds the output limit of the model. None of its calls were made.',
    hint: 'Ask for less at once, or start a new thread.',
  })

export const tooManyCalls = (calls: number) =>
  new ModelError({
    error: 'Too many calls',
    message: `The model tried to make more than ${calls} calls at once. None of them were made.`,
    hint: 'Ask for less at once.',
  })

export const unreadableCalls = () =>
  new ModelError({
    error: 'Calls unreadable',
    message: 'The model keeps making invalid calls.',
    hint: `${AGAIN}. If this happens often, ${OPERATOR.toLowerCase()} should set a CORK_AI_MODEL that is better at calling tools.`,
  })

export const tooManySteps = (steps: number): ErrorText => ({
  error: 'Too many steps',
  message: `The model was stopped after ${steps} steps.`,
  hint: 'Say "go on" if it is on the right track, or tell it what to do instead.',
})

export const tooManyTokens = (tokens: number): ErrorText => ({
  error: 'Too many tokens',
  message: `The model was stopped because this answer would have used more than ${tokens} tokens.`,
  hint: 'Ask for less at once, or start a new thread.',
})

const seconds = (ms: number) => `${Math.max(1, Math.round(ms / 1000))} s`

interface ServiceResponse {
  status: number
  /** The message of the service, with the key removed. */
  message: string
  retryAfterMs: number | undefined
}

/** The error for an HTTP status, with the setting that may be wrong. */
export function errorForStatus({ status, message, retryAfterMs }: ServiceResponse): ModelError {
  const words = message && ` It says: ${message}`
  const isQuota = /quota|billing|credit/i.test(message)
  if (status === 401 || status === 403)
    return permanentError(
      'Key refused',
      `The model service rejected the key (${status}).${words}`,
      [`${OPERATOR} should correct CORK_AI_API_KEY and restart the server`],
    )
  if (status === 404)
    return permanentError('Model unknown', `The service does not know the model (404).${words}`, [
      `${OPERATOR} should correct CORK_AI_MODEL, or CORK_AI_BASE_URL, which usually ends in /v1`,
    ])
  if (status === 413 || /context (length|window|size)|too long|too large/i.test(message))
    return permanentError(
      'Too long',
      `This conversation is too long for the model (${status}).${words}`,
      ['Start a new thread'],
    )
  if (status === 429) return busy(words, isQuota, retryAfterMs)
  if (status === 408 || status >= 500)
    return new ModelError(
      {
        error: 'Model in trouble',
        message: `The model service failed (${status}).${words}`,
        hint: `${AGAIN} in a moment.`,
      },
      true,
      retryAfterMs,
    )
  return permanentError(
    'Question refused',
    `The service rejected the question (${status}).${words}`,
    [
      `${OPERATOR} should check that CORK_AI_MODEL can call tools, and that CORK_AI_PROVIDER is correct`,
    ],
  )
}

const permanentError = (error: string, message: string, [hint]: [string]) =>
  new ModelError({ error, message, hint: `${hint}.` })

function busy(words: string, isQuota: boolean, retryAfterMs: number | undefined): ModelError {
  const wait = retryAfterMs ? ` in ${seconds(retryAfterMs)}` : ' in a moment'
  const hint = isQuota
    ? `${OPERATOR} should check the limits of the account that CORK_AI_API_KEY belongs to.`
    : `${AGAIN}${wait}.`
  const message = `The model service accepts no more questions for now (429).${words}`
  return new ModelError({ error: 'Model busy', message, hint }, !isQuota, retryAfterMs)
}
