import { afterAll, expect, test } from 'bun:test'
import { waitForFollowers } from '../../../support/followers.ts'
import { callTool } from '../../../support/surface-calls.ts'
import { removeTemporaryFolders, terminal } from '../../../support/terminal.ts'
import { type World, world } from '../../../support/world.ts'

afterAll(removeTemporaryFolders)

/** Cleo is assigned to the logo task by the fixtures, and the agent requests a decision on it. */
async function worldWithDecisionRequest(): Promise<World> {
  const w = await world()
  w.clock.advance(1000)
  await w.bot['decision_requests.create']({
    ...{ task_id: w.tasks.logo.task_id, question: 'Ship it?', options: ['Yes', 'No'] },
  })
  await waitForFollowers(w)
  return w
}

test('svc_inbox lists a notification with only the fields that a model needs', async () => {
  const w = await worldWithDecisionRequest()
  const response = await callTool(w, w.cleo, 'svc_inbox', { action: 'list', limit: 1 })
  expect(response.body.result.structuredContent.data).toEqual([
    {
      ...{ notification_id: 2, kind: 'decision_requested', important: true },
      task: { ticket_number: 'HP-1', title: 'Draw the logo', section: 'Doing', done: false },
      actor: { kind: 'agent', name: 'Bot' },
      ...{ decision_request_id: 1, snippet: 'Ship it?' },
      created_at: '2026-11-20T12:00:01.000Z',
    },
  ])
})

test('the command line lists and archives an inbox, answers decisions and moves tasks to inboxes', async () => {
  const w = await worldWithDecisionRequest()
  const { cork } = terminal(w, w.cleo)
  const { out } = await cork('inbox', 'list', '--important')
  expect(out.split('\n').map((line) => line.split(/ {2,}/).slice(0, 6))).toEqual([
    ['ID', 'KIND', 'IMPORTANT', 'KEY', 'TITLE', 'ACTOR'],
    ['2', 'decision_requested', 'yes', 'HP-1', 'Draw the logo', 'Bot'],
    ['1', 'assigned', 'yes', 'HP-1', 'Draw the logo', 'Ada'],
  ])
  expect((await cork('decisions', 'answer', '1', 'Yes')).out).toBe('Answered decision request 1')
  expect((await cork('inbox', 'archive', '1,2')).out).toBe('Archived 2 notifications')
  expect((await cork('inbox', 'archive', '2')).out).toBe('Archived no notifications')
  expect((await cork('inbox', 'list')).out).toBe('')
  const confirmation = `Moved HP-2 to the inbox of user ${w.cleo.caller.actor_id}`
  for (const task of ['HP-2', String(w.tasks.copy.task_id)])
    expect((await cork('inbox', 'move', task, '--user', 'Cleo')).out).toBe(confirmation)
  expect((await cork('inbox', 'list', '--kind', 'moved_to_inbox')).out).toContain('Write the copy')
  const missingRecipient = await cork('inbox', 'move', 'HP-2')
  expect([missingRecipient.code, missingRecipient.err]).toEqual([
    2,
    expect.stringContaining('needs --user'),
  ])
  const secondAnswer = await cork('decisions', 'answer', '1', 'No')
  expect([secondAnswer.code, secondAnswer.err]).toEqual([
    1,
    expect.stringContaining('is already answered'),
  ])
})
