import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { branchOf, type NamedTask } from '../../../kernel/branch-name.ts'
import { Client } from '../client.ts'
import { type Command, CommandError } from '../command.ts'
import type { CommandIO } from '../io.ts'
import { branchExists, git, repositoryOf } from './repository.ts'

/** Begins each commit message on a task's branch with the key of the task. */
const HOOK = `#!/bin/sh
# Installed by "cork branch --hook".
key=$(git symbolic-ref --quiet --short HEAD | sed -nE 's/^([a-z][a-z0-9]*-[0-9]+)(-.*)?$/\\1/p' | tr a-z A-Z)
case "$2" in merge|squash) exit 0 ;; esac
if [ -n "$key" ] && ! grep -q "$key" "$1"; then
  printf '%s: %s' "$key" "$(cat "$1")" > "$1.cork" && mv "$1.cork" "$1"
fi
`

export const branch = (io: CommandIO): Command => ({
  summary: 'Switch to the git branch of a task, and create it if needed',
  about:
    'The branch is named after the key and the title. --hook also installs a hook in this repository that begins commit messages with the key.',
  example: 'cork branch HOM-1 --hook',
  args: [{ name: 'ticket_number', about: 'The task, such as HOM-1', required: true }],
  flags: {
    print: { type: 'boolean', about: 'Only print the name of the branch' },
    hook: { type: 'boolean', about: 'Install the prepare-commit-msg hook' },
  },
  async run({ ticket_number, print, hook, json }) {
    const path = `/api/v1/tasks/${encodeURIComponent(ticket_number!)}`
    const task = (await new Client(io).send({ method: 'GET', path })).data as NamedTask
    const name = branchOf(task)
    const show = () => io.out(json === undefined ? name : JSON.stringify({ branch: name }))
    if (print !== undefined) {
      show()
      return 0
    }
    const repository = await repositoryOf(process.cwd())
    if (hook !== undefined) await installHook(repository)
    const isKnown = await branchExists(repository, name)
    await git(repository, 'switch', ...(isKnown ? [name] : ['-c', name]))
    show()
    return 0
  },
})

async function installHook(repository: string): Promise<void> {
  const file = join(repository, await git(repository, 'rev-parse', '--git-path', 'hooks'), NAME)
  const found = Bun.file(file)
  if ((await found.exists()) && (await found.text()) !== HOOK)
    throw new CommandError(`${file} exists already. Add the lines of "cork branch" to it yourself`)
  await Bun.write(file, HOOK)
  await chmod(file, 0o755)
}

const NAME = 'prepare-commit-msg'
