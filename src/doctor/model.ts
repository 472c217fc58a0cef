import { namesAt } from '../ai/index.ts'
import { aiOf, type Config } from '../config.ts'
import { type Finding, ok, warning } from './finding.ts'

const PATIENCE_MS = 5000

/** Asks which models there are, and none of them anything, so that it costs nothing. */
export async function checkModel(config: Config): Promise<Finding> {
  const endpoint = aiOf(config)
  if (!endpoint)
    return ok('model', 'none is set, so nobody answers in the chat; all else works without')
  const { base, model, provider } = endpoint
  const where = `${base}, which speaks as ${provider === 'openai' ? 'OpenAI' : 'Anthropic'} does,`
  try {
    const names = await namesAt(endpoint, AbortSignal.timeout(PATIENCE_MS))
    if (!names?.length)
      return ok('model', `${where} is up; whether it has ${model} it does not tell`)
    if (names.some((name) => name === model || name === `${model}:latest`))
      return ok('model', `${where} has ${model}`)
    const hint = `Correct CORK_AI_MODEL if it does not answer in the chat. There are: ${some(names)}`
    return warning('model', `${where} does not name ${model}`, hint)
  } catch (error) {
    const hint = '"cork config" shows the CORK_AI_… settings. Until then nobody answers in the chat'
    return warning('model', `${where} cannot be used: ${(error as Error).message}`, hint)
  }
}

const MOST_NAMED = 10

const some = (names: string[]) =>
  names.length > MOST_NAMED ? `${names.slice(0, MOST_NAMED).join(', ')} …` : names.join(', ')
