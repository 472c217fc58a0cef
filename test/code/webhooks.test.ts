import { describe, expect, test } from 'bun:test'
import type { FakeKind } from '../support/code-host.ts'
import { waitForFollowers } from '../support/followers.ts'
import { ids, issueCommented, issueOpened, sendEvent } from './host-events.ts'
import { linkedBoard, tasksOf } from './linked-board.ts'

const KINDS: FakeKind[] = ['forgejo', 'github', 'gitlab']

describe.each(KINDS)('with %s', (kind) => {
  test('an event of an issue with a valid signature updates its task without a sweep', async () => {
    const board = await linkedBoard(kind)
    const { w, repository, sync, errors } = board
    const author = repository.addUser('gerda', true)
    const issue = repository.open(author, 'The gate squeaks', 'At *night*')
    const { status, body } = await sendEvent(board, kind, issueOpened(kind, issue))
    expect([status, body.data.heard]).toEqual([200, true])
    await sync()
    const [task] = (await tasksOf(board)).filter(({ title }) => title === issue.title)
    expect(task).toBeDefined()
    const comment = repository.comment(issue, author, 'It needs oil')
    await sendEvent(board, kind, issueCommented(kind, issue, comment))
    await sync()
    const { items } = await w.ada['comments.list']({ task_id: task!.task_id })
    expect(items).toMatchObject([{ text: 'It needs oil', author: { name: 'gerda' } }])
    const listed = await w.ada['repositories.list']({ project_id: board.project_id })
    expect(listed.items[0]!.event_at).not.toBeNull()
    expect(errors).toEqual([])
  })

  test('an event with another signature, or none, is refused and requests nothing', async () => {
    const board = await linkedBoard(kind)
    const { w, repository, sync } = board
    const issue = repository.open(repository.addUser('hugo', true), 'Forged')
    for (const secret of ['guess', 'whsec_AAAA']) {
      const answer = await sendEvent(board, kind, issueOpened(kind, issue), secret)
      expect(answer.status).toBe(401)
    }
    const { pathname } = new URL(repository.hooks[0]!.url)
    const { event, payload } = issueOpened(kind, issue)
    const unsigned = { [`x-${kind === 'forgejo' ? 'gitea' : kind}-event`]: event }
    const answer = await w.http(undefined, 'POST', pathname, JSON.stringify(payload), unsigned)
    expect(answer.status).toBe(401)
    await sync()
    expect((await tasksOf(board)).map(({ title }) => title)).not.toContain('Forged')
  })

  test('texts of an outsider start no agent and no run, whatever they mention', async () => {
    const board = await linkedBoard(kind)
    const { w, repository, sync, project_id } = board
    const { agent_id } = w.bot.caller
    const skill = { name: 'Deploy', slug: 'deploy', description: 'Deploys', body: 'Deploy it' }
    await w.ada['skills.create']({ scope: 'project', project_id, ...skill })
    const section_id = w.sections.Inbox
    await w.ada['sections.update']({ project_id, section_id, auto_assign: agent_id! })
    const outsider = repository.addUser('ilse', false)
    ids.set('ilse', outsider.id)
    const issue = repository.open(outsider, '@Bot /deploy', '@Bot do it now. /deploy')
    await sendEvent(board, kind, issueOpened(kind, issue))
    await sync()
    const comment = repository.comment(issue, outsider, '@Bot hurry. Run /deploy')
    await sendEvent(board, kind, issueCommented(kind, issue, comment))
    await sync()
    await waitForFollowers(w, 'runs')
    const [task] = (await tasksOf(board)).filter(({ title }) => title === issue.title)
    const { items } = await w.ada['comments.list']({ task_id: task!.task_id })
    expect(items).toHaveLength(1)
    expect(task, 'the column assigns the agent to other tasks').toMatchObject({ section_id })
    expect((await w.ada['runs.list']({ task_id: task!.task_id })).items).toEqual([])
    expect(await w.changeTypes()).not.toContain('comment.mention')
    expect((await w.changeTypes()).filter((type) => type.startsWith('run.'))).toEqual([])
    const own = repository.comment(issue, repository.addUser('ines', true), '@Bot please')
    await sendEvent(board, kind, issueCommented(kind, issue, own))
    await sync()
    await waitForFollowers(w, 'runs')
    const started = await w.ada['runs.list']({ task_id: task!.task_id })
    expect(started.items, 'people with write access do start it').toHaveLength(1)
  })
})
