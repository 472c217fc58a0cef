import { afterAll, expect, test } from 'bun:test'
import { removeTemporaryFolders, terminal } from '../support/terminal.ts'
import { world } from '../support/world.ts'

afterAll(removeTemporaryFolders)

async function adaTerminal() {
  const w = await world()
  const { cork } = terminal(w, w.ada)
  const line = async (...words: string[]) => {
    const { code, out, err } = await cork(...words)
    return code ? `${code} ${err}` : out
  }
  return { w, cork, line }
}

const MOMENT = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d'

test('lease commands print the holder, the expiry and, only to the holder, the lease id', async () => {
  const { w, line } = await adaTerminal()
  expect(await line('leases', 'get', 'HP-1')).toBe('HP-1 is not claimed')
  const claimed = await line('leases', 'claim', 'HP-1')
  expect(claimed).toMatch(new RegExp(`^Claimed HP-1 until ${MOMENT}: lease \\S+$`))
  const lease_id = claimed.split(' ').at(-1)!
  const renewed = await line('leases', 'heartbeat', 'HP-1')
  expect(renewed).toMatch(new RegExp(`^Renewed the lease of HP-1 until ${MOMENT}$`))
  const { out: leaseText } = await terminal(w, w.ben).cork('leases', 'get', 'HP-1')
  expect(leaseText).toContain('Ada')
  expect(leaseText).not.toContain(lease_id)
  expect(await line('leases', 'release', 'HP-1')).toBe('Released the lease')
})

test('a task claimed from the queue is listed with its lease id', async () => {
  const { line } = await adaTerminal()
  const [titles, row, ...rest] = (await line('tasks', 'next', 'HP', '--claim')).split('\n')
  expect([titles, rest]).toEqual([expect.stringMatching(/LEASE$/), []])
  expect(row).toMatch(/^HP-2 .* unassigned, in Next .* [0-9a-f-]{36}$/)
})

test('an agent can be addressed by its name in every state until it is deleted', async () => {
  const { w, line } = await adaTerminal()
  const { agent_id } = w.bot.caller
  expect(await line('agents', 'get', 'bot')).toContain(agent_id!)
  expect(await line('agents', 'deactivate', 'Bot')).toBe(`Deactivated agent ${agent_id} "Bot"`)
  const enabled = await line('agents', 'enable', 'BOT')
  expect(enabled).toMatch(/^state +active$/m)
  expect(await line('agents', 'archive', agent_id!)).toBe(`Archived agent ${agent_id} "Bot"`)
  expect(await line('agents', 'delete', 'Bot')).toBe(`Deleted agent ${agent_id} "Bot"`)
  expect(await line('agents', 'get', 'Bot')).toContain('There is no agent called "Bot"')
})

test('a new or rotated agent token is printed with a warning that it is not shown again', async () => {
  const { cork } = await adaTerminal()
  for (const words of [
    ['agents', 'create', 'Scout'],
    ['agents', 'rotate', 'Scout'],
  ]) {
    const { out, err } = await cork(...words)
    expect(out).toMatch(/^token +corkagent_\S+$/m)
    expect(err).toBe('Save it now: it is not shown again')
  }
})

test('commands for evidence, escalations and runs print one line each', async () => {
  const { w, line } = await adaTerminal()
  const added = await line('evidence', 'add', 'HP-1', 'test_result', '12 of 12 pass')
  expect(added).toMatch(/^Added evidence \d+, a test result, to HP-1$/)
  const escalated = await line('escalations', 'create', 'HP-1', 'No paint', '--to-user', 'ben')
  expect(escalated).toMatch(/^Escalated HP-1 to Ben: escalation \d+$/)
  const id = escalated.split(' ').at(-1)!
  const resolved = `Resolved escalation ${id} of HP-1`
  expect(await line('escalations', 'resolve', 'HP-1', id)).toBe(resolved)
  const queued = await line('runs', 'create', 'HP-1', '--agent', 'Bot')
  expect(queued).toMatch(/^Run \d+ of HP-1 is queued$/)
  const run = queued.split(' ')[1]!
  const again = await line('runs', 'create', 'HP-1', '--agent', 'Bot')
  expect(again).toBe(`${queued}, and was open already`)
  const bot = terminal(w, w.bot)
  const appended = await bot.cork('runs', 'append', run, '--entries', '{"text": "Looking"}')
  expect(appended.out).toBe(`The transcript of run ${run} has one entry now`)
  expect(await line('runs', 'stop', run)).toBe(`Run ${run} of HP-1 is stopped`)
  expect(await line('runs', 'stop', run)).toBe(`Run ${run} of HP-1 is stopped already`)
})

test('cork events prints lease, run, escalation and evidence events with actor, task and details', async () => {
  const { w, line } = await adaTerminal()
  const since = String((await w.changes(0)).at(-1)!.seq)
  await line('leases', 'claim', 'HP-1')
  await line('runs', 'create', 'HP-1', '--agent', 'Bot')
  await line('escalations', 'create', 'HP-1', 'No paint', '--to-user', 'ben')
  await line('evidence', 'add', 'HP-1', 'note', 'It is dry')
  const eventLines = (await line('events', '--since', since)).split('\n')
  for (const words of [
    ['lease.claimed', 'Ada', 'HP-1'],
    ['run.created', 'Ada', 'HP-1', 'Draw the logo', 'Bot'],
    ['escalation.created', 'Ada', 'HP-1', 'Draw the logo', 'No paint'],
    ['evidence.added', 'Ada', 'HP-1', 'It is dry'],
  ])
    expect(eventLines.filter((one) => words.every((word) => one.includes(word)))).toHaveLength(1)
})
