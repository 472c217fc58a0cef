import { afterAll, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { binary } from '../../scripts/build.ts'
import { cleanUp, createFolder, initDataFolder, type RunningServer, startServer } from './cork.ts'

const docs = join(import.meta.dir, '../../docs')
const pages = Object.fromEntries(
  readdirSync(docs)
    .filter((file) => file.endsWith('.md'))
    .map((file) => [file.slice(0, -'.md'.length), readFileSync(join(docs, file), 'utf8')]),
)
const blocksOf = (page = '') =>
  [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!)

const servers: RunningServer[] = []
afterAll(async () => {
  for (const server of servers) await server.end()
  cleanUp()
})

/** Runs the commands of a page in order in a new folder, and returns what they print. */
async function runScript(blocks: readonly string[]) {
  const { data, api_key } = await initDataFolder()
  const server = await startServer(data)
  servers.push(server)
  const cwd = createFolder()
  writeFileSync(join(cwd, 'key.txt'), `${api_key}\n`)
  const script = blocks.join('\n').replaceAll('http://127.0.0.1:3210', server.url)
  expect(script.match(/^ *cork /gm)!.length).toBeGreaterThan(8)
  const run = Bun.spawn(['bash', '-euo', 'pipefail', '-c', script], {
    cwd,
    env: {
      PATH: `${dirname(binary)}:${process.env.PATH}`,
      XDG_CONFIG_HOME: join(cwd, 'settings'),
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = [await new Response(run.stdout).text(), await new Response(run.stderr).text()]
  return { cwd, out, err, code: await run.exited }
}

test('the commands of docs/cli.md work, run one after another', async () => {
  const { cwd, out, err, code } = await runScript(blocksOf(pages.cli))
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('HOM-1  Paint the fence')
  expect(out).toContain('"-5 °C outside"')
  const [task] = await Bun.file(join(cwd, 'mine.json')).json()
  expect(task).toMatchObject({ ticket_number: 'HOM-1', section: 'Doing', content_type: 'markdown' })
  expect(existsSync(join(cwd, 'changes.jsonl'))).toBe(true)
})

test('the commands of docs/board-settings.md work, run one after another', async () => {
  const signIn = 'cork login http://127.0.0.1:3210 --token - < key.txt'
  const { out, err, code } = await runScript([signIn, ...blocksOf(pages['board-settings'])])
  expect([code, err]).toEqual([0, 'Save it now: it is not shown again\n'])
  for (const line of [/Doing +3$/m, /invitations\//, /Frost until May/]) expect(out).toMatch(line)
})

test('the commands of docs/tasks.md work, run one after another', async () => {
  const signIn = 'cork login http://127.0.0.1:3210 --token - < key.txt'
  const { out, err, code } = await runScript([signIn, ...blocksOf(pages.tasks)])
  const notes = [...Array(2).fill('Nothing to list'), 'Save it now: it is not shown again', '']
  expect([code, err.split('\n')]).toEqual([0, notes])
  for (const line of [
    'HOM-1 is BlockedBy HOM-2',
    'Attached colour.txt (1) to HOM-1',
    'Buy **paint**',
    'Would add "Pay rent" to "Home"',
  ])
    expect(out).toContain(line)
})

test('the commands of docs/export.md work, run one after another', async () => {
  const setup = [
    'export CORK_URL=http://127.0.0.1:3210 CORK_TOKEN="$(cat key.txt)"',
    'cork projects create Home --sections Inbox,Next,Done',
    "cork tasks create HOM 'Paint the fence' --due-date 2026-12-01 --description 'Two coats.'",
    "cork views create HOM 'Due soon' --sorting-mode DueDate",
  ]
  const { cwd, code } = await runScript([...setup, ...blocksOf(pages.export)])
  expect(code).toBe(0)
  const names = ['Home.csv', 'backlog', 'board.md', 'due-soon.md', 'tasks.csv', 'tasks.ics']
  expect(readdirSync(cwd)).toEqual(expect.arrayContaining([...names, 'tasks.json']))
  expect(readFileSync(join(cwd, 'due-soon.md'), 'utf8')).toContain('  Two coats.')
})

test('the commands of docs/import.md work, run one after another', async () => {
  const signIn = 'cork login http://127.0.0.1:3210 --token - < key.txt'
  const { out, err, code } = await runScript([signIn, ...blocksOf(pages.import)])
  expect([code, err.match(/^(?!Reading CSV: |Importing: |Edit it, ).+/gm)]).toEqual([0, null])
  for (const line of [
    'Berth: Berth (number), 2 values',
    'Imported from CSV: 4 created, 2 unchanged',
    'Imported from CSV: 2 updated, 4 unchanged',
    'Imported from CSV: 6 unchanged',
    'Order rope',
  ])
    expect(out).toContain(line)
  expect(out).toMatch(/deleted tasks +3/)
})

test('the commands of docs/team-of-agents.md work, run one after another', async () => {
  const signIn = 'cork login http://127.0.0.1:3210 --token - < key.txt'
  const { cwd, out, err, code } = await runScript([signIn, ...blocksOf(pages['team-of-agents'])])
  expect([code, err]).toEqual([0, ''])
  for (const line of ['Created task SHI-3', 'Builder', 'Reviewer']) expect(out).toContain(line)
  expect((await Bun.file(join(cwd, 'builder.json')).json()).token).toStartWith('corkagent_')
})

test('the commands of docs/skills.md work, run one after another', async () => {
  const signIn = 'cork login http://127.0.0.1:3210 --token - < key.txt'
  const { cwd, out, err, code } = await runScript([signIn, ...blocksOf(pages.skills)])
  expect([code, err]).toEqual([0, ''])
  for (const line of [
    'Created skill 1 "Release notes"',
    'Updated skill 2 "Triage": enabled',
    'Deleted skill 2 "Triage"',
    'Nothing to change on skill 3 "Stand-up"',
  ])
    expect(out).toContain(line)
  const { slug, markdown } = await Bun.file(join(cwd, 'stand-up.json')).json()
  expect([slug, markdown]).toEqual(['stand-up', await Bun.file(join(cwd, 'SKILL.md')).text()])
})

test('the commands of docs/settings.md work, run one after another', async () => {
  const signIn = 'cork login http://127.0.0.1:3210 --token - < key.txt'
  const { out, err, code } = await runScript([signIn, ...blocksOf(pages.settings)])
  const warning = 'Save it now: it is not shown again'
  const emailWarning = expect.stringMatching(/^Warning: Email is not set up on this server/)
  expect([code, err.trim().split('\n')]).toEqual([0, [emailWarning, warning, warning]])
  for (const line of ['Editor', 'Backup script']) expect(out).toContain(line)
})

test('the commands of docs/search.md work, run one after another', async () => {
  const signIn = 'cork login http://127.0.0.1:3210 --token - < key.txt'
  const { out, code } = await runScript([signIn, ...blocksOf(pages.search)])
  expect(code).toBe(0)
  for (const line of ['Paint the fence', 'Two coats, outside first', '#create-a-backup'])
    expect(out).toContain(line)
})

test('the commands of docs/views-and-time.md work, run one after another', async () => {
  const signIn = 'cork login http://127.0.0.1:3210 --token - < key.txt'
  const { out, err, code } = await runScript([signIn, ...blocksOf(pages['views-and-time'])])
  expect([code, err]).toEqual([0, ''])
  for (const line of ['Urgent', 'First coat', 'Second coat']) expect(out).toContain(line)
})

test('the commands of docs/pages.md work, run one after another', async () => {
  const signIn = 'cork login http://127.0.0.1:3210 --token - < key.txt'
  const { cwd, out, err, code } = await runScript([signIn, ...blocksOf(pages.pages)])
  expect([code, err]).toEqual([
    0,
    expect.stringMatching(/^The page is at version 5, not 1: Ada changed it last[^\n]*\n$/),
  ])
  const log = '# Paint\n\nTwo coats, *outside* first.\n\n- Bought five litres of green.\n'
  expect(readFileSync(join(cwd, 'log.md'), 'utf8')).toBe(log)
  for (const line of [
    'Created page 1 "Fence log"',
    'He has the key',
    '+- Bought five litres of green.',
    'Read it again, then retry',
    'Archived page 1 "Fence log", and one page nested in it',
    'Created page 3 "#Paint the fence"',
    'Created page 4 "#Exploration of other paints"',
    'Green: **12**',
    'Nothing to change on page 6 "Swatch"',
  ])
    expect(out).toContain(line)
  expect(readFileSync(join(cwd, 'swatch.html'), 'utf8')).toContain('onclick')
})

/** The examples for programs need curl and jq; without them the test is skipped. */
const testWithCurl = test.skipIf(!['curl', 'jq'].every((name) => Bun.which(name)))

testWithCurl('the commands of docs/agents.md work, run one after another', async () => {
  const signIn = 'cork login http://127.0.0.1:3210 --token - < key.txt'
  const { cwd, out, err, code } = await runScript([signIn, ...blocksOf(pages.agents)])
  expect([code, err]).toEqual([0, 'Save it now: it is not shown again\n'])
  const { token, client_configuration } = await Bun.file(join(cwd, 'scout.json')).json()
  expect(client_configuration.headers.Authorization).toBe(`Bearer ${token}`)
  for (const line of [
    '"start":"Take work: svc_tasks next',
    '"released":true',
    'comment.created by Ada',
    'Looking for green paint',
    'The shop is closed until Monday',
    'agent.created',
  ])
    expect(out).toContain(line)
})

testWithCurl('the commands of docs/agents-clients.md work, run one after another', async () => {
  const { cwd, out, err, code } = await runScript(blocksOf(pages['agents-clients']))
  expect([code, err]).toEqual([
    0,
    'Created the agent "Scout" and saved its token on this machine\n',
  ])
  for (const line of [
    'Wrote .mcp.json for Claude Code:',
    'Zed reads .zed/settings.json. It should contain:',
    'Scout, an agent',
    'You are Scout, an agent.',
    'HOM-1 "Paint the fence", High',
    '["svc_comments","svc_tasks"]',
  ])
    expect(out).toContain(line)
  const { mcpServers } = await Bun.file(join(cwd, '.mcp.json')).json()
  expect(mcpServers.corkboard.env.CORK_AGENT).toBe('Scout')
  expect(readFileSync(join(cwd, '.codex/config.toml'), 'utf8')).toContain('"--read-only"')
  expect(readFileSync(join(cwd, 'AGENTS.md'), 'utf8')).toContain('board HOM of Corkboard')
  expect(existsSync(join(cwd, '.zed'))).toBe(false)
})

test('the commands of docs/inbox.md and docs/team.md work, run one after another', async () => {
  const setupCommands = [
    'cork login http://127.0.0.1:3210 --token - < key.txt',
    "cork projects create Home --sections 'To do,Done'",
    "cork tasks create HOM 'Paint the fence'",
  ]
  const { out, code } = await runScript([
    ...setupCommands,
    ...blocksOf(pages.inbox),
    ...blocksOf(pages.team),
  ])
  expect(code).toBe(0)
  for (const line of ['moved_to_inbox', 'kim@example.com', 'invitation.created'])
    expect(out).toContain(line)
})

test('every command named in the docs exists', async () => {
  const namedCommands = [
    ...Object.values(pages)
      .join('\n')
      .matchAll(/cork ([a-z]+(?: [a-z][a-z-]+)?)/g),
  ].map(([, words]) => words!)
  const { groupsOf } = await import('../../src/commands/run.ts')
  const { silentIO } = await import('../support/terminal.ts')
  const knownCommands = (await groupsOf(silentIO)).flatMap(({ commands }) => Object.keys(commands))
  const isUnknown = (words: string) =>
    !knownCommands.includes(words.split(' ')[0]!) &&
    !knownCommands.some((name) => `${name} `.startsWith(`${words} `))
  expect(namedCommands.filter(isUnknown)).toEqual([])
  expect(['tasks crate', 'taks list'].filter(isUnknown)).toHaveLength(2)
})

test('the commands of docs/notifications.md work, run one after another', async () => {
  const setup = [
    'cork login http://127.0.0.1:3210 --token - < key.txt',
    'cork projects create Home --sections Inbox,Done',
    'cork channels list',
  ]
  const { out, err, code } = await runScript([...setup, ...blocksOf(pages.notifications)])
  expect([code, err]).toEqual([0, 'Nothing to list\n'])
  for (const text of ['https://ntfy.sh/lantern-k7Qx2', 'hooks.slack.com', '22:00'])
    expect(out).toContain(text)
})
