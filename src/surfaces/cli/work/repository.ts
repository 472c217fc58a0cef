import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { branchOf, type NamedTask } from '../../../kernel/branch-name.ts'
import { CommandError } from '../command.ts'

/** A checkout of its own for one task. */
export interface Worktree {
  folder: string
  branch: string
  /** The commit that the branch began at. */
  base: string
}

/** Runs git and returns what it prints. */
export async function git(folder: string, ...args: string[]): Promise<string> {
  const child = Bun.spawn(['git', ...args], { cwd: folder, stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if ((await child.exited) === 0) return out.trim()
  throw new CommandError(`git ${args[0]} failed: ${err.trim() || out.trim()}`)
}

/** The root of the repository that a folder belongs to. */
export async function repositoryOf(folder: string): Promise<string> {
  if (!Bun.which('git')) throw new CommandError('git is not installed, or not on the PATH')
  try {
    return await git(folder, 'rev-parse', '--show-toplevel')
  } catch {
    throw new CommandError(
      `${folder} is in no git repository. Name one with --repository, or create one with "git init"`,
    )
  }
}

export const branchExists = (repository: string, branch: string): Promise<boolean> =>
  git(repository, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}`).then(
    () => true,
    () => false,
  )

/** Checks out the branch of a task beside the repository. An earlier checkout is used again. */
export async function addWorktree(repository: string, task: NamedTask): Promise<Worktree> {
  const branch = branchOf(task)
  const folder = join(dirname(repository), `${basename(repository)}-worktrees`, task.ticket_number)
  const head = await git(repository, 'rev-parse', 'HEAD').catch(() => {
    throw new CommandError('The repository has no commit yet, so no branch can begin. Commit once')
  })
  const isKnown = await branchExists(repository, branch)
  // Git refuses to check out a branch while a worktree with a deleted folder still has it.
  await git(repository, 'worktree', 'prune')
  if (!existsSync(folder))
    await git(
      repository,
      'worktree',
      'add',
      ...(isKnown ? [folder, branch] : ['-b', branch, folder]),
    )
  const base = isKnown ? await git(folder, 'merge-base', head, 'HEAD') : head
  return { folder, branch, base }
}

/** What was done in a worktree: its commits, oldest first, and whether changes are uncommitted. */
export async function workIn({ folder, base }: Worktree) {
  const log = await git(folder, 'log', '--reverse', '--oneline', `${base}..HEAD`)
  const isDirty = (await git(folder, 'status', '--porcelain')) !== ''
  return { commits: log ? log.split('\n') : [], isDirty }
}

/** Removes a worktree without uncommitted changes, and its branch if it has no commits. */
export async function removeWorktree(repository: string, worktree: Worktree): Promise<void> {
  const { commits, isDirty } = await workIn(worktree)
  if (isDirty) return
  await git(repository, 'worktree', 'remove', worktree.folder)
  if (!commits.length) await git(repository, 'branch', '-D', worktree.branch)
}
