import { listModels } from '../ai/index.ts'
import { aiOf, type Config } from '../config/index.ts'
import { type Finding, ok, warning } from './finding.ts'

const TIMEOUT_MS = 5000

/** Only lists the models of the service, so that the check costs nothing. */
export async function checkModel(config: Config): Promise<Finding> {
  const endpoint = aiOf(config)
  if (!endpoint)
    return ok('model', 'none is set, so the chat is unavailable; everything else works')
  const { base, model, provider } = endpoint
  const service = `${base} (API of ${provider === 'openai' ? 'OpenAI' : 'Anthropic'})`
  try {
    const names = await listModels(endpoint, AbortSignal.timeout(TIMEOUT_MS))
    if (!names?.length)
      return ok('model', `${service} is up, but does not say whether it has ${model}`)
    if (names.some((name) => name === model || name === `${model}:latest`))
      return ok('model', `${service} has ${model}`)
    const hint = `Correct CORK_AI_MODEL if the chat does not work. Available: ${joinNames(names)}`
    return warning('model', `${service} does not list ${model}`, hint)
  } catch (error) {
    const hint = 'The chat is unavailable until then. "cork config" shows the CORK_AI_… settings'
    return warning('model', `${service} cannot be used: ${(error as Error).message}`, hint)
  }
}

const MAX_NAMES = 10

const joinNames = (names: string[]) =>
  names.length > MAX_NAMES ? `${names.slice(0, MAX_NAMES).join(', ')} …` : names.join(', ')
