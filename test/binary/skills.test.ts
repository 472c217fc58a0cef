import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startKitHost } from '../support/code-host-archives.ts'
import type { World } from '../support/world.ts'
import { startBoardServer } from './board-server.ts'
import { cleanUp, cork, createFolder } from './cork.ts'

const origin = startKitHost({
  config: { allowHosts: [], skillHosts: [] } as unknown as World['config'],
})
let server: Awaited<ReturnType<typeof startBoardServer>>

beforeAll(async () => {
  server = await startBoardServer({
    CORK_ALLOW_HOSTS: '127.0.0.1',
    CORK_SKILL_HOSTS: `${origin}=github`,
  })
})
afterAll(async () => {
  await server?.close()
  cleanUp()
})

const configHome = createFolder()
const runCork = (...args: string[]) =>
  cork(args, {
    env: { CORK_URL: server.url, CORK_TOKEN: server.apiKey, XDG_CONFIG_HOME: configHome },
  })

test('the command line, REST and MCP serve the same skills', async () => {
  const { project_id } = server
  const url = `${origin}/ada/kit/tree/main/skills`
  const board = ['--scope', 'project', '--project', String(project_id)]
  const dryRun = await runCork('skills', 'import', url, ...board, '--dry-run')
  expect([dryRun.code, dryRun.out]).toEqual([0, expect.stringContaining('created')])
  expect((await runCork('skills', 'list', String(project_id), '--json')).out).toBe('[]\n')
  const imported = await runCork('skills', 'import', url, ...board)
  expect([imported.code, imported.out]).toEqual([0, '/triage: created\n'])
  const list = `/api/v1/projects/${project_id}/skills`
  const [skill] = (await server.http('GET', list)).body.data
  expect(skill).toMatchObject({
    slug: 'triage',
    source: `${url.replace('tree', 'blob')}/triage/SKILL.md`,
  })
  const toolResult = await server.callTool('svc_skills', {
    action: 'get',
    input: { skill_id: skill.skill_id },
  })
  expect(toolResult.structuredContent.data).toMatchObject({
    ...{ slug: 'triage', body: '# triage\n\nDo it like this.\n' },
  })
  expect((await runCork('skills', 'get', String(skill.skill_id))).out).toContain('Do it like this.')
  const disabled = await runCork('skills', 'update', String(skill.skill_id), '--no-enabled')
  expect([disabled.code, disabled.out]).toEqual([0, 'Updated skill 1 "triage": enabled\n'])
  const deleted = await server.http('DELETE', `/api/v1/skills/${skill.skill_id}`)
  expect(deleted.body.data).toMatchObject({ slug: 'triage', project_id })
})

test('a skill created from a file returns the same Markdown', async () => {
  const file = join(configHome, 'SKILL.md')
  const text = '---\nname: Standup\nslug: standup\n---\n\nSay what you did.\n'
  writeFileSync(file, text)
  const created = await runCork('skills', 'create', '--markdown-file', file)
  expect([created.code, created.out, created.err]).toEqual([
    ...[0, expect.stringMatching(/^Created skill \d+ "Standup"\n$/), ''],
  ])
  const { body } = await server.http('GET', '/api/v1/skills?query=standup')
  const skill = await server.http('GET', `/api/v1/skills/${body.data[0].skill_id}`)
  expect(skill.body.data.markdown).toBe(text)
})

test('a skill import from an unknown host is refused with the allowed hosts', async () => {
  const result = await runCork('skills', 'import', 'https://git.example.com/ada/kit')
  expect(result.code).toBe(1)
  expect(result.err).toContain(`Skills can be imported from ${origin} only`)
  expect(result.err).toContain('CORK_SKILL_HOSTS')
})
