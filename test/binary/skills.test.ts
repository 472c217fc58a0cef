import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { kitHost } from '../hosting.ts'
import type { World } from '../world.ts'
import { cork, folder, sweep } from './cork.ts'
import { openHouse } from './house.ts'

const origin = kitHost({ config: { allowHosts: [], skillHosts: [] } as unknown as World['config'] })
let house: Awaited<ReturnType<typeof openHouse>>

beforeAll(async () => {
  house = await openHouse({ CORK_ALLOW_HOSTS: '127.0.0.1', CORK_SKILL_HOSTS: `${origin}=github` })
}, 60_000)
afterAll(async () => {
  await house?.close()
  sweep()
})

const home = folder()
const typed = (...args: string[]) =>
  cork(args, { env: { CORK_URL: house.url, CORK_TOKEN: house.key, XDG_CONFIG_HOME: home } })

test('the command line, REST and MCP serve the same skills', async () => {
  const { project_id } = house
  const url = `${origin}/ada/kit/tree/main/skills`
  const board = ['--scope', 'project', '--project', String(project_id)]
  const looked = await typed('skills', 'import', url, ...board, '--dry-run')
  expect([looked.code, looked.out]).toEqual([0, expect.stringContaining('created')])
  expect((await typed('skills', 'list', String(project_id), '--json')).out).toBe('[]\n')
  const made = await typed('skills', 'import', url, ...board)
  expect([made.code, made.out]).toEqual([0, '/triage: created\n'])
  const list = `/api/v1/projects/${project_id}/skills`
  const [there] = (await house.http('GET', list)).body.data
  expect(there).toMatchObject({
    slug: 'triage',
    source: `${url.replace('tree', 'blob')}/triage/SKILL.md`,
  })
  const called = await house.tool('svc_skills', {
    action: 'get',
    input: { skill_id: there.skill_id },
  })
  expect(called.structuredContent.data).toMatchObject({
    ...{ slug: 'triage', body: '# triage\n\nDo it like this.\n' },
  })
  expect((await typed('skills', 'get', String(there.skill_id))).out).toContain('Do it like this.')
  const off = await typed('skills', 'update', String(there.skill_id), '--no-enabled')
  expect([off.code, off.out]).toEqual([0, 'Updated skill 1 "triage": enabled\n'])
  const gone = await house.http('DELETE', `/api/v1/skills/${there.skill_id}`)
  expect(gone.body.data).toMatchObject({ slug: 'triage', project_id })
})

test('a skill created from a file returns the same Markdown', async () => {
  const file = join(home, 'SKILL.md')
  const text = '---\nname: Standup\nslug: standup\n---\n\nSay what you did.\n'
  writeFileSync(file, text)
  const made = await typed('skills', 'create', '--markdown-file', file)
  expect([made.code, made.out, made.err]).toEqual([
    ...[0, expect.stringMatching(/^Created skill \d+ "Standup"\n$/), ''],
  ])
  const { body } = await house.http('GET', '/api/v1/skills?query=standup')
  const whole = await house.http('GET', `/api/v1/skills/${body.data[0].skill_id}`)
  expect(whole.body.data.markdown).toBe(text)
})

test('a skill import from an unknown host is refused with the allowed hosts', async () => {
  const refused = await typed('skills', 'import', 'https://git.example.com/ada/kit')
  expect(refused.code).toBe(1)
  expect(refused.err).toContain(`Skills can be imported from ${origin} only`)
  expect(refused.err).toContain('CORK_SKILL_HOSTS')
})
