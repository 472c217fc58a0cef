import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { cleanUp, createFolder, sendRequest } from '../binary/cork.ts'
import { openClients } from '../clients/support.ts'
import { runOrThrow } from '../support/commands.ts'
import { installPackages } from '../support/python.ts'

const MINUTES = 60_000
const here = (name: string) => join(import.meta.dir, name)
const examples = join(import.meta.dir, '../../clients/python/examples')

let commands = ''
beforeAll(async () => {
  const requirements = here('examples-requirements.txt')
  commands = await installPackages(createFolder(), requirements, 'generators')
}, 10 * MINUTES)
afterAll(cleanUp)

test(
  'the examples for LangGraph and the OpenAI Agents SDK work through a board',
  async () => {
    const { folder, options } = await openClients()
    const send = async (method: string, path: string, body?: object, secret = options.token) =>
      (await sendRequest(options.url, secret, method, path, body)).body.data
    const { teams } = await send('GET', '/api/v1/user/context')
    const { team_id } = teams[0]
    const { project_id } = await send('POST', '/api/v1/projects', {
      ...{ team_id, title: 'Harbour' },
      sections: [{ title: 'Next' }, { title: 'Done', is_done: true }],
    })
    const create = (title: string) => send('POST', '/api/v1/tasks', { project_id, title })
    const gate = await create('Mend the gate')
    const fence = await create('Paint the fence')
    const { token } = await send('POST', '/api/v1/agents', { team_id, name: 'Scout' })
    const path = `PYTHONPATH=${folder}/python:${examples}`
    const args = [options.url, token, String(project_id), fence.ticket_number]
    const python = join(commands, 'python')
    const output = await runOrThrow([
      'env',
      'PYTHONDONTWRITEBYTECODE=1',
      path,
      python,
      here('examples.py'),
      ...args,
    ])
    expect(JSON.parse(output)).toEqual({
      langgraph: 'Looked at Mend the gate',
      openai: [`${fence.ticket_number} Paint the fence`],
    })
    expect(await send('GET', `/api/v1/tasks/${gate.ticket_number}`)).toMatchObject({ done: true })
    const comments = await send('GET', `/api/v1/tasks/${fence.ticket_number}/comments?limit=50`)
    expect(JSON.stringify(comments)).toContain('Oil the')
  },
  5 * MINUTES,
)
