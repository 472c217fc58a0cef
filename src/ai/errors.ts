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
  message: 'No model is set on this server, so there is nobody to chat with',
  hint: 'Whoever runs the server sets CORK_AI_BASE_URL and CORK_AI_MODEL, and CORK_AI_API_KEY where the service asks for one, and starts it again: https://api.openai.com/v1, https://api.anthropic.com/v1, or http://127.0.0.1:11434/v1 for Ollama; everything else works without',
}

const OPERATOR = 'Whoever runs the server'
const AGAIN = 'Try again'

export const unreachable = () =>
  new ModelError(
    {
      error: 'Model unreachable',
      message: 'The service of the model cannot be reached.',
      hint: `${AGAIN} in a moment. ${OPERATOR} looks whether it runs and whether CORK_AI_BASE_URL is right: "cork doctor" asks it.`,
    },
    true,
  )

export const connectionLost = () =>
  new ModelError(
    {
      error: 'Answer cut off',
      message: 'The connection to the model was lost before it had said all.',
      hint: `${AGAIN}: what it did so far is kept.`,
    },
    true,
  )

export const idleTimeout = (ms: number) =>
  new ModelError({
    error: 'Model silent',
    message: `The model said nothing for ${seconds(ms)}.`,
    hint: `${AGAIN}. Where this happens often, the model is too slow for its machine: ${OPERATOR.toLowerCase()} sets a smaller CORK_AI_MODEL.`,
  })

export const stepTimeout = (ms: number) =>
  new ModelError({
    error: 'Answer too long',
    message: `The model was not done with one answer after ${seconds(ms)}.`,
    hint: 'Ask for less at once.',
  })

export const unexpectedService = (reason: string) =>
  new ModelError({
    error: 'Not a model',
    message: `What answers is not the service of a model: ${reason}.`,
    hint: `${OPERATOR} corrects CORK_AI_BASE_URL, which mostly ends in /v1, and CORK_AI_PROVIDER: openai or anthropic.`,
  })

export const serviceFailed = (serviceText: string) =>
  new ModelError(
    {
      error: 'Model in trouble',
      message: `The service of the model broke off: ${serviceText}`,
      hint: `${AGAIN} in a moment.`,
    },
    true,
  )

export const emptyAnswer = () =>
  new ModelError(
    {
      error: 'Empty answer',
      message: 'The model answered nothing.',
      hint: `${AGAIN}, or say it in other words.`,
    },
    true,
  )

export const contentFiltered = () =>
  new ModelError({
    error: 'Answer refused',
    message: 'The model, or the filter of its service, refuses to answer this.',
    hint: 'Say it in other words, or begin a new thread.',
  })

export const answerTooLong = () =>
  new ModelError({
    error: 'Answer cut short',
    message:
      'The answer is longer than the model may say at once. Nothing that it was about to do was done.',
    hint: 'Ask for less at once, or begin a new thread.',
  })

export const tooManyCalls = (calls: number) =>
  new ModelError({
    error: 'Too many calls',
    message: `The model was about to do more than ${calls} things at once. Nothing of it was done.`,
    hint: 'Ask for less at once.',
  })

export const unreadableCalls = () =>
  new ModelError({
    error: 'Calls unreadable',
    message: 'The model keeps making calls that cannot be read.',
    hint: `${AGAIN}. Where this happens often, ${OPERATOR.toLowerCase()} sets a CORK_AI_MODEL that is better at calling tools.`,
  })

export const tooManySteps = (steps: number): ErrorText => ({
  error: 'Too many steps',
  message: `The model was stopped after ${steps} steps.`,
  hint: 'Say "go on" if it is on the right way, or tell it what to do instead.',
})

export const tooManyTokens = (tokens: number): ErrorText => ({
  error: 'Too many tokens',
  message: `The model was stopped, as this answer would have taken more than ${tokens} tokens.`,
  hint: 'Ask for less at once, or begin a new thread.',
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
      `The service of the model refuses the key (${status}).${words}`,
      [`${OPERATOR} corrects CORK_AI_API_KEY and starts it again`],
    )
  if (status === 404)
    return permanentError('Model unknown', `The service does not know the model (404).${words}`, [
      `${OPERATOR} corrects CORK_AI_MODEL, or CORK_AI_BASE_URL, which mostly ends in /v1`,
    ])
  if (status === 413 || /context (length|window|size)|too long|too large/i.test(message))
    return permanentError(
      'Too long',
      `This conversation is too long for the model (${status}).${words}`,
      ['Begin a new thread'],
    )
  if (status === 429) return busy(words, isQuota, retryAfterMs)
  if (status === 408 || status >= 500)
    return new ModelError(
      {
        error: 'Model in trouble',
        message: `The service of the model is in trouble (${status}).${words}`,
        hint: `${AGAIN} in a moment.`,
      },
      true,
      retryAfterMs,
    )
  return permanentError(
    'Question refused',
    `The service refuses the question (${status}).${words}`,
    [
      `${OPERATOR} looks whether CORK_AI_MODEL can call tools, and whether CORK_AI_PROVIDER is right`,
    ],
  )
}

const permanentError = (error: string, message: string, [hint]: [string]) =>
  new ModelError({ error, message, hint: `${hint}.` })

function busy(words: string, isQuota: boolean, retryAfterMs: number | undefined): ModelError {
  const wait = retryAfterMs ? ` in ${seconds(retryAfterMs)}` : ' in a moment'
  const hint = isQuota
    ? `${OPERATOR} looks at the limits of the account that CORK_AI_API_KEY belongs to.`
    : `${AGAIN}${wait}.`
  const message = `The service of the model takes no more questions for now (429).${words}`
  return new ModelError({ error: 'Model busy', message, hint }, !isQuota, retryAfterMs)
}
