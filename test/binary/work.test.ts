import { afterAll, expect, test } from 'bun:test'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { binary } from '../../scripts/build.ts'
import { scaleCount } from '../support/scale.ts'
import {
  cleanUp,
  createFolder,
  initDataFolder,
  type RunningServer,
  sendRequest,
  startServer,
} from './cork.ts'

const servers: RunningServer[] = []
afterAll(async () => {
  for (const server of servers) await server.end()
  cleanUp()
})

const GIT_NAME = { GIT_AUTHOR_NAME: 'Scout', GIT_AUTHOR_EMAIL: 'scout@example.com' }
const GIT = { ...GIT_NAME, GIT_COMMITTER_NAME: 'Scout', GIT_COMMITTER_EMAIL: 'scout@example.com' }

/** A server with a board of one task, an agent of Ada, and a git repository with one commit. */
async function harbour(title = 'Paint the fence') {
  const { data, api_key, team_id } = await initDataFolder()
  const server = await startServer(data)
  servers.push(server)
  const ada = async (method: string, path: string, body?: object) => {
    const answer = await sendRequest(server.url, api_key, method, `/api/v1${path}`, body)
    if (answer.status >= 400) throw new Error(JSON.stringify(answer.body))
    return answer.body.data
  }
  const sections = ['To do', 'Doing', 'Done'].map((title) => ({ title }))
  const { project_id } = await ada('POST', '/projects', { team_id, title: 'Home', sections })
  const { ticket_number } = await ada('POST', '/tasks', { project_id, title, description: 'Green' })
  const { token } = await ada('POST', '/agents', { team_id, name: 'Scout' })
  const repository = join(createFolder(), 'house')
  const git = (...args: string[]) =>
    Bun.spawnSync(['git', ...args], { cwd: repository, env: env() })
  const env = () => ({ ...GIT, PATH: process.env.PATH ?? '', HOME: repository })
  Bun.spawnSync(['git', 'init', '-q', '-b', 'main', repository])
  git('commit', '-q', '--allow-empty', '-m', 'Begin')
  /** Starts `cork work` with a scripted agent. */
  const start = (script: string, ...flags: string[]) => {
    const agent = join(createFolder(), 'agent.sh')
    writeFileSync(agent, `#!/bin/sh\n${script}\n`)
    chmodSync(agent, 0o755)
    const words = ['work', '--agent', agent, '--repository', repository, ...flags]
    return Bun.spawn([binary, ...words], {
      env: { ...env(), CORK_URL: server.url, CORK_TOKEN: token },
      ...{ stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
    })
  }
  const run = async (script: string, ...flags: string[]) => {
    const child = start(script, ...flags)
    const [out, err] = [
      await new Response(child.stdout).text(),
      await new Response(child.stderr).text(),
    ]
    return { out, err, code: await child.exited }
  }
  const lease = async () => (await ada('GET', `/tasks/${ticket_number}/lease`)).lease
  const lastRun = async () => (await ada('GET', `/tasks/${ticket_number}/runs`))[0]
  return { ada, git, run, start, repository, project_id, ticket_number, lease, lastRun }
}

async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await isTrue()) return
    await Bun.sleep(100)
  }
  throw new Error('It did not become true within a minute')
}

test('an agent works on the next task in a worktree, and hands it over with its commits and output', async () => {
  const h = await harbour()
  const script = 'cat > task.md; git add .; git commit -qm "Paint it"; echo "Painted it green"'
  const { out, err, code } = await h.run(script, '--project', 'Home')
  expect([code, out]).toEqual([0, 'Painted it green\n'])
  expect(err).toContain('branch hom-1-paint-the-fence')
  const task = await h.ada('GET', `/tasks/${h.ticket_number}`)
  expect(task.assignees.map(({ name }: { name: string }) => name)).toEqual(['Ada'])
  const [comment] = await h.ada('GET', `/tasks/${h.ticket_number}/comments`)
  for (const words of ['The work is done.', 'Paint it', 'Painted it green'])
    expect(comment.text).toContain(words)
  expect(await h.lease()).toBeNull()
  const { state, run_id } = await h.lastRun()
  expect(state).toBe('done')
  const entries = await h.ada('GET', `/runs/${run_id}/transcript`)
  expect(entries.map(({ text }: { text: string }) => text.trim())).toContain('Painted it green')
  const shown = h.git('show', 'hom-1-paint-the-fence:task.md').stdout.toString()
  for (const words of ['# HOM-1: Paint the fence', 'Green']) expect(shown).toContain(words)
  expect(existsSync(join(h.repository, '../house-worktrees/HOM-1'))).toBe(false)
}, 60_000)

test('a command that fails is handed over too, and what it did not commit stays in the worktree', async () => {
  const h = await harbour()
  const { code } = await h.run('echo half > fence; echo "No paint left" >&2; exit 3', 'HOM-1')
  expect(code).toBe(1)
  const [comment] = await h.ada('GET', `/tasks/${h.ticket_number}/comments`)
  expect(comment.text).toContain('exit code 3')
  expect((await h.lastRun()).state).toBe('failed')
  expect(await h.lease()).toBeNull()
  expect(existsSync(join(h.repository, '../house-worktrees/HOM-1/fence'))).toBe(true)
}, 60_000)

test('a killed session frees the task when its lease ends, and its command ends as well', async () => {
  const h = await harbour()
  const alive = join(h.repository, 'alive')
  for (let round = 0; round < scaleCount(2, 10); round++) {
    const script = `while true; do date +%s%N > ${alive}; sleep 0.2; done`
    const child = h.start(script, 'HOM-1', '--ttl', '10')
    await until(() => existsSync(alive))
    expect((await h.lease()).holder.name).toBe('Scout')
    child.kill('SIGKILL')
    await child.exited
    await until(async () => (await h.lease()) === null)
    const last = await Bun.file(alive).text()
    await Bun.sleep(500)
    expect(await Bun.file(alive).text()).toBe(last)
    await Bun.file(alive).delete()
  }
  const { code } = await h.run('echo done', 'HOM-1')
  expect(code).toBe(0)
}, 300_000)

test('an interrupt, or a person who stops the run, ends the command and releases the task at once', async () => {
  const h = await harbour()
  const started = join(h.repository, 'started')
  const script = `touch ${started}; exec sleep 600`
  const child = h.start(script, 'HOM-1')
  await until(() => existsSync(started))
  child.kill('SIGINT')
  expect(await child.exited).toBe(130)
  expect(await h.lease()).toBeNull()
  await Bun.file(started).delete()
  const stopped = h.start(script, 'HOM-1', '--ttl', '12')
  await until(() => existsSync(started))
  await h.ada('POST', `/runs/${(await h.lastRun()).run_id}/stop`, {})
  expect(await stopped.exited).toBe(130)
  expect(await h.lease()).toBeNull()
}, 120_000)

test('cork work says what is missing: the token of an agent, a repository, a task', async () => {
  const h = await harbour()
  const done = await h.run('true', '--project', 'Home')
  expect(done.code).toBe(0)
  const none = await h.run('true', '--project', 'Home')
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('assigned to others')])
  const outside = await h.run('true', 'HOM-1', '--repository', createFolder())
  expect([outside.code, outside.err]).toEqual([1, expect.stringContaining('no git repository')])
  const nothing = await h.run('true')
  expect([nothing.code, nothing.err]).toEqual([1, expect.stringContaining('--project')])
}, 60_000)

test('cork branch switches to the branch of a task, and its hook begins commit messages with the key', async () => {
  const h = await harbour('Größere Tür: “weit” öffnen')
  const { token } = await h.ada('POST', '/agents', { team_id: 1, name: 'Rover' })
  const url = servers.at(-1)!.url
  const env = { ...GIT, PATH: process.env.PATH ?? '', HOME: h.repository }
  const branch = Bun.spawnSync([binary, 'branch', 'HOM-1', '--hook'], {
    cwd: h.repository,
    env: { ...env, CORK_URL: url, CORK_TOKEN: token },
  })
  expect(branch.stdout.toString()).toBe('hom-1-grossere-tur-weit-offnen\n')
  h.git('commit', '-q', '--allow-empty', '-m', 'Widen it')
  expect(h.git('log', '-1', '--format=%s').stdout.toString()).toBe('HOM-1: Widen it\n')
}, 60_000)
