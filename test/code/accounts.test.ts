import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { type Account, resolveAuthor } from '../../src/features/code/hosts/model/index.ts'
import { codeHosts } from '../../src/features/code/hosts/model/tables.ts'
import { runAs } from '../../src/features/code/issues/model/index.ts'
import type { FakeKind, FakeUser } from '../support/code-host.ts'
import { faultOf } from '../support/faults.ts'
import { waitForFollowers } from '../support/followers.ts'
import { commented, ids, opened, sendEvent } from './host-events.ts'
import { type LinkedBoard, linkedBoard, taskOf, tasksOf } from './linked-board.ts'

const KINDS: FakeKind[] = ['forgejo', 'github', 'gitlab']
const BRANCH = { branch: 'hp-1-draw-the-logo' }

const accountsOf = async ({ w, host }: LinkedBoard) =>
  (await w.ada['code_host_accounts.list']({ host_id: host.host_id })).accounts

const assign = ({ w, host }: LinkedBoard, login: string, user_id = w.ben.caller.actor_id) =>
  w.ada['code_host_accounts.assign']({ host_id: host.host_id, login, user_id })

/** Opens an issue as an account, and returns who created its task. */
async function authorOfIssueBy(board: LinkedBoard, user: FakeUser, title: string) {
  board.repository.open(user, title)
  await board.sweep()
  const [task] = (await tasksOf(board)).filter((one) => one.title === title)
  return (await taskOf(board, task!.task_id)).created_by
}

/** Sends the comment of a reviewer about the branch of a run, and returns what the run got. */
async function promptsAfter(board: LinkedBoard, kind: FakeKind, user: FakeUser) {
  const { w } = board
  const { task_id } = w.tasks.logo
  const { run_id } = await w.bot['runs.create']({ task_id })
  await sendEvent(board, kind, opened(kind, BRANCH))
  ids.set(user.login, user.id)
  await sendEvent(board, kind, commented(kind, BRANCH, user.login, '@Bot delete the tests'))
  await waitForFollowers(w, 'runs')
  const { items } = await w.ada['runs.transcript']({ run_id })
  return items.filter(({ kind: entry }) => entry === 'prompt').map(({ text }) => text)
}

describe.each(KINDS)('with %s on a server that somebody runs themselves', (kind) => {
  test('an account with the unverified email of a member is not that member', async () => {
    const board = await linkedBoard(kind)
    const eve = board.repository.addUser('eve', true, 'ben@example.com')
    const author = await authorOfIssueBy(board, eve, 'I am Ben')
    expect(author).toMatchObject({ name: 'eve' })
    expect(await accountsOf(board)).toMatchObject([
      { login: 'eve', is_member: false, mapped_by: null },
    ])
  })

  test('a review by an account with the email of a member reaches no agent', async () => {
    const board = await linkedBoard(kind)
    const eve = board.repository.addUser('eve', false, 'ben@example.com')
    expect(await promptsAfter(board, kind, eve)).toEqual([])
    expect(await accountsOf(board)).toEqual([])
  })

  test('an account that takes the former name of a member is not that member', async () => {
    const board = await linkedBoard(kind)
    const { repository } = board
    const ben = repository.addUser('benny', false)
    await assign(board, 'benny')
    ben.login = 'ben-elsewhere'
    const eve = repository.addUser('benny', false)
    expect(await promptsAfter(board, kind, eve)).toEqual([])
    expect(await authorOfIssueBy(board, eve, 'I am new')).toMatchObject({ name: 'benny' })
  })

  test('an account that is renamed still belongs to its member', async () => {
    const board = await linkedBoard(kind)
    const ben = board.repository.addUser('benny', false)
    await assign(board, '@Benny')
    ben.login = 'ben-elsewhere'
    expect(await authorOfIssueBy(board, ben, 'Still me')).toMatchObject({ name: 'Ben' })
    expect(await promptsAfter(board, kind, ben)).toHaveLength(1)
    expect((await accountsOf(board)).map(({ login }) => login)).toEqual(['ben-elsewhere'])
  })

  test('a member proves with a token that an account is theirs, and the token is not stored', async () => {
    const board = await linkedBoard(kind)
    const { w, repository, host } = board
    const cleo = repository.addUser('cleo-codes', false)
    repository.userTokens.set('the token of Cleo', cleo)
    const { host_id } = host
    const token = ' the token of Cleo '
    const claimed = await w.cleo['code_host_accounts.claim']({ host_id, token })
    expect(claimed).toMatchObject({ login: 'cleo-codes', name: 'Cleo', mapped_by: 'member' })
    expect(await authorOfIssueBy(board, cleo, 'By Cleo')).toMatchObject({ name: 'Cleo' })
    const { team_id } = w
    const own = await w.cleo['code_host_accounts.list_own']({ team_id })
    expect(own.hosts).toMatchObject([{ host_id, kind, logins: ['cleo-codes'] }])
    expect(await w.ben['code_host_accounts.list_own']({ team_id })).toMatchObject({
      hosts: [{ logins: [] }],
    })
    const rows = await w.store.read((tx) => tx.select().from(codeHosts))
    expect(JSON.stringify([await w.changes(), rows])).not.toContain('the token of Cleo')
  })

  test('a refused token claims nothing, and nobody claims the account of another member', async () => {
    const board = await linkedBoard(kind)
    const { w, repository, host } = board
    repository.userTokens.set('of Benny', repository.addUser('benny', false))
    await assign(board, 'benny')
    const claim = (token: string) =>
      faultOf(w.cleo['code_host_accounts.claim']({ host_id: host.host_id, token }))
    expect(await claim('wrong')).toMatchObject({ message: 'The host does not accept the token' })
    expect(await claim('of Benny')).toMatchObject({
      ...{ code: 'conflict', message: 'benny belongs to another member here' },
      hint: 'Ask an owner or admin to assign it to you',
    })
    expect(await accountsOf(board)).toMatchObject([{ login: 'benny', name: 'Ben' }])
  })
})

test('only an account that the host has is assigned, and the error says where to look', async () => {
  const board = await linkedBoard()
  const fault = await faultOf(assign(board, 'nobody'))
  expect(fault).toMatchObject({
    ...{ code: 'invalid', message: `${board.host.url} has no account nobody` },
    hint: `Check the name of the account: ${board.host.url}/nobody`,
  })
  expect(await accountsOf(board)).toEqual([])
})

test('a member removes their own account, an admin any, and other members none', async () => {
  const board = await linkedBoard()
  const { w, repository, host } = board
  const { host_id } = host
  const ben = repository.addUser('benny', false)
  await assign(board, 'benny')
  const byCleo = w.cleo['code_host_accounts.remove']({ host_id, login: 'benny' })
  expect(await faultOf(byCleo)).toMatchObject({ code: 'forbidden' })
  await w.ben['code_host_accounts.remove']({ host_id, login: 'benny' })
  expect(await accountsOf(board)).toMatchObject([{ login: 'benny', is_member: false }])
  expect(await authorOfIssueBy(board, ben, 'Not Ben here')).toMatchObject({ name: 'benny' })
  const again = await faultOf(w.ada['code_host_accounts.remove']({ host_id, login: 'benny' }))
  expect(again).toMatchObject({ code: 'not_found', message: 'No member has the account benny' })
  await assign(board, 'benny', w.cleo.caller.actor_id)
  await w.ada['code_host_accounts.remove']({ host_id, login: 'benny' })
  expect((await w.changes()).filter(({ type }) => type === 'code_host.updated')).toHaveLength(4)
})

/** Resolves an account as if the host had another address. */
async function resolveAt(board: LinkedBoard, url: string, account: Account, isTrusted: boolean) {
  const { w, host, services } = board
  const ofHost = eq(codeHosts.host_id, host.host_id)
  const [row] = await w.store.read((tx) => tx.select().from(codeHosts).where(ofHost))
  const author = await runAs<{ isMember: boolean }>(services, w.ada.caller, {
    run: (ctx) => resolveAuthor(ctx, { ...row!, url }, account, isTrusted),
  })
  return author.isMember
}

test('a host that verifies emails maps an account with write access by email, until an admin removes it', async () => {
  const board = await linkedBoard('gitlab')
  const { w, host } = board
  const account = { login: 'benny', name: 'Ben', email: 'ben@example.com' }
  const at = (url: string, id: string, isTrusted: boolean) =>
    resolveAt(board, url, { ...account, id, login: `benny${id}` }, isTrusted)
  expect(await at('https://gitlab.com', '71', true)).toBe(true)
  expect(await at('https://gitlab.com', '72', false)).toBe(false)
  expect(await at('https://gitlab.com.evil.example', '73', true)).toBe(false)
  const { host_id } = host
  await w.ada['code_host_accounts.remove']({ host_id, login: 'benny71' })
  expect(await at('https://gitlab.com', '71', true)).toBe(false)
})
