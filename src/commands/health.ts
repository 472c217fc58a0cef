import { readConfig } from '../config/index.ts'
import type { Command } from './command.ts'

const TIMEOUT_MS = 4000

export const health: Command = {
  summary: 'Ask the server on this machine whether it is ready, for health checks',
  about: 'The exit code is 0 if it can read and write the database, otherwise 1.',
  example: 'cork health',
  flags: {},
  async run({ json }) {
    const { host, port } = readConfig(process.env)
    const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host
    const answer = await ask(`http://${address}:${port}/readyz`)
    console.log(json === undefined ? answer.text : JSON.stringify(answer))
    return answer.ready ? 0 : 1
  },
}

async function ask(url: string): Promise<{ ready: boolean; text: string }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    return { ready: response.ok, text: (await response.text()).trim() }
  } catch (error) {
    return { ready: false, text: `${url} does not answer: ${(error as Error).message}` }
  }
}
