import { type Config, embeddingsOf } from '../config/index.ts'
import { embed } from '../search/vectors/index.ts'
import { type Finding, ok, warning } from './finding.ts'

const TIMEOUT_MS = 5000

/** Returns no findings if no service is configured, because search works without one. */
export async function checkEmbeddings(config: Config): Promise<Finding[]> {
  const endpoint = embeddingsOf(config)
  if (!endpoint) return []
  const { base, model } = endpoint
  try {
    const [vector] = await embed(endpoint, ['Probe'], AbortSignal.timeout(TIMEOUT_MS))
    return [ok('embeddings', `${base} returns vectors of ${vector?.length} numbers with ${model}`)]
  } catch (error) {
    const says = `${base} cannot be used with ${model}: ${(error as Error).message}`
    const hint = 'Search uses words only. "cork config" shows the CORK_EMBEDDINGS_… settings'
    return [warning('embeddings', says, hint)]
  }
}
