import { expect, test } from 'bun:test'
import { EVENTS as WEBHOOK_EVENTS } from '../../src/features/agents/messages/model/index.ts'
import { AGENT_SCOPES } from '../../src/features/identity/teams/model/index.ts'
import { CLIENTS } from '../../src/web/entities/agent/clients.ts'
import { levelOf, levelsOf, SCOPES } from '../../src/web/entities/agent/descriptions.ts'
import { EVENTS } from '../../src/web/screens/agents/events.ts'

test('every scope that an agent can have is explained, and no other', () => {
  expect(SCOPES.map(([scope]) => scope).sort()).toEqual([...AGENT_SCOPES].sort() as never)
})

test('every event that a webhook can select is explained, and no other', () => {
  expect(EVENTS.map(([event]) => event).sort()).toEqual([...WEBHOOK_EVENTS].sort())
})

test('levels contain only scopes of their creator, and are recognized by their scopes', () => {
  const member = new Set<string>(AGENT_SCOPES.filter((scope) => scope !== 'projects:manage'))
  const levels = levelsOf(member)
  for (const level of levels) {
    expect(level.scopes.every((scope) => member.has(scope))).toBe(true)
    expect(levelOf(level.scopes, levels)?.name).toBe(level.name)
  }
  expect(levelOf(['tasks:read'], levels)).toBeUndefined()
})

test('the command for plain HTTP sends valid JSON with the token', () => {
  const { text } = CLIENTS.find(({ name }) => name === 'Plain HTTP')!
  const command = text({ url: 'https://cork.example/mcp', token: 'secret' })
  expect(command).toStartWith('curl https://cork.example/mcp \\\n')
  expect(command).toContain('-H "Authorization: Bearer secret"')
  const [, body = ''] = /-d '(.+)'$/.exec(command) ?? []
  expect(JSON.parse(body)).toMatchObject({
    method: 'tools/call',
    params: { name: 'svc_user_context' },
  })
})
