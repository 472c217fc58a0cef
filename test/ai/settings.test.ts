import { afterAll, describe, expect, test } from 'bun:test'
import { listModels } from '../../src/ai/index.ts'
import { aiOf, BadConfig, describeConfig, readConfig } from '../../src/config/index.ts'
import { checkModel } from '../../src/doctor/model.ts'
import { startScriptedModel } from './scripted-model.ts'

const service = startScriptedModel({ key: 'sk-cork-right' })
afterAll(() => service.stop())

const readSettings = (variables: Record<string, string>) =>
  aiOf(
    readConfig(Object.fromEntries(Object.entries(variables).map(([k, v]) => [`CORK_AI_${k}`, v]))),
  )

test('no model is configured when no variable is set', () => {
  expect(readSettings({})).toBeUndefined()
})

const invalidSettings: [Record<string, string>, string][] = [
  [{ BASE_URL: 'https://api.openai.com/v1' }, 'also needs CORK_AI_MODEL'],
  [{ MODEL: 'tiny' }, 'also needs CORK_AI_BASE_URL.'],
  [{ API_KEY: 'sk-cork' }, 'also needs CORK_AI_BASE_URL and CORK_AI_MODEL'],
  [{ PROVIDER: 'openai' }, 'also needs CORK_AI_BASE_URL and CORK_AI_MODEL'],
  [{ BASE_URL: 'api.openai.com', MODEL: 'tiny' }, 'CORK_AI_BASE_URL must be an address'],
  [{ BASE_URL: 'https://a:b@c/v1', MODEL: 'tiny' }, 'without a key in it'],
  [{ PROVIDER: 'gemini' }, 'CORK_AI_PROVIDER must be openai or anthropic, not "gemini"'],
  [{ PRICE: '2.50' }, 'CORK_AI_PRICE must be two prices in US dollars per million tokens'],
  [{ PRICE: '$2/$10' }, 'such as 2.50/10, not "$2/$10"'],
  [{ API_KEY: 'sk cork' }, 'CORK_AI_API_KEY must be a key'],
]
test.each(invalidSettings)(
  'incomplete or invalid settings %j are refused with the reason',
  (variables, message) => {
    expect(() => readSettings(variables)).toThrow(BadConfig)
    expect(() => readSettings(variables)).toThrow(message)
  },
)

test('the API key is never shown, and a trailing line break is removed from it', () => {
  const env = { CORK_AI_API_KEY: 'sk-cork-secret\n' }
  const [keyVariable] = describeConfig(env).filter(({ name }) => name === 'CORK_AI_API_KEY')
  expect(keyVariable).toMatchObject({ value: '(15 characters)' })
  const variables = {
    BASE_URL: 'http://127.0.0.1:1/v1',
    MODEL: 'tiny',
    API_KEY: 'sk-cork-secret\n',
  }
  expect(readSettings(variables)?.key).toBe('sk-cork-secret')
  expect(() => readSettings({ API_KEY: 'sk-läuft' })).not.toThrow('läuft')
})

const addresses: [string, string, string][] = [
  ['https://api.openai.com/v1', 'openai', 'https://api.openai.com/v1'],
  ['https://api.openai.com', 'openai', 'https://api.openai.com/v1'],
  ['http://127.0.0.1:11434/', 'openai', 'http://127.0.0.1:11434/v1'],
  ['https://api.openai.com/v1/chat/completions', 'openai', 'https://api.openai.com/v1'],
  ['https://models.example.com/api/openai', 'openai', 'https://models.example.com/api/openai'],
  ['https://api.anthropic.com', 'anthropic', 'https://api.anthropic.com/v1'],
  ['https://api.anthropic.com/v1/messages', 'anthropic', 'https://api.anthropic.com/v1'],
  ['https://models.example.com/anthropic', 'anthropic', 'https://models.example.com/anthropic/v1'],
  ['https://anthropic.com.example.com/v1', 'openai', 'https://anthropic.com.example.com/v1'],
]
test.each(addresses)(
  'the address %s uses the %s protocol and the base %s',
  (address, provider, base) => {
    expect(readSettings({ BASE_URL: address, MODEL: 'tiny' })).toEqual({
      provider: provider as 'openai',
      base,
      model: 'tiny',
    })
  },
)

test('CORK_AI_PROVIDER selects the protocol', () => {
  const variables = { BASE_URL: 'http://127.0.0.1:4000', MODEL: 'tiny', PROVIDER: 'anthropic' }
  expect(readSettings(variables)).toMatchObject({
    provider: 'anthropic',
    base: 'http://127.0.0.1:4000/v1',
  })
})

describe('cork doctor', () => {
  const checkSettings = (variables: Record<string, string>) => checkModel(readConfig(variables))

  test('reports that no model is configured', async () => {
    expect(await checkSettings({})).toMatchObject({
      state: 'ok',
      says: expect.stringContaining('none'),
    })
  })

  test.each(['openai', 'anthropic'] as const)(
    'checks %s by its list of models only, and warns about an unknown model or a wrong key',
    async (provider) => {
      service.play([{ text: 'Never sent' }])
      const reachable = await checkSettings(service.settings(provider))
      expect(reachable).toMatchObject({
        state: 'ok',
        says: expect.stringContaining('has scripted'),
      })
      expect(service.requests).toEqual([])
      const unknownModel = await checkSettings({
        ...service.settings(provider),
        CORK_AI_MODEL: 'other',
      })
      expect(unknownModel).toMatchObject({
        state: 'warning',
        hint: expect.stringContaining('scripted'),
      })
      const wrongKey = await checkSettings({
        ...service.settings(provider),
        CORK_AI_API_KEY: 'sk-wrong',
      })
      expect(wrongKey).toMatchObject({ state: 'warning', says: expect.stringContaining('(401)') })
      expect(JSON.stringify(wrongKey)).not.toContain('sk-wrong')
    },
  )

  test('accepts a 404 for the list of models, and warns about a page or an unreachable address', async () => {
    const endpoint = { provider: 'openai', model: 'tiny' } as const
    using serverWithoutList = Bun.serve({ port: 0, fetch: () => new Response('', { status: 404 }) })
    const base = `http://127.0.0.1:${serverWithoutList.port}/v1`
    expect(await listModels({ ...endpoint, base }, AbortSignal.timeout(2000))).toBeUndefined()
    using page = Bun.serve({ port: 0, fetch: () => new Response('<html>') })
    const pageSettings = {
      CORK_AI_BASE_URL: `http://127.0.0.1:${page.port}/v1`,
      CORK_AI_MODEL: 'tiny',
    }
    expect(await checkSettings(pageSettings)).toMatchObject({ state: 'warning' })
    const unreachable = { CORK_AI_BASE_URL: 'http://127.0.0.1:1/v1', CORK_AI_MODEL: 'tiny' }
    expect(await checkSettings(unreachable)).toMatchObject({
      state: 'warning',
      says: expect.stringContaining('cannot be reached'),
    })
  })
})
