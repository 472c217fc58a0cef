import { version } from '../../package.json'
import type { AnyOperation } from '../kernel/operation.ts'
import { type Command, WrongUsage } from '../surfaces/cli/command.ts'
import { find } from '../surfaces/cli/find.ts'
import { type Group, helpOf, helpOfAll, helpOfNoun } from '../surfaces/cli/help.ts'
import type { Outside } from '../surfaces/cli/outside.ts'
import { read } from '../surfaces/cli/read.ts'
import { local } from './index.ts'

/** Does what a line says; answers the exit code. Only tests name other operations. */
export async function run(
  words: string[],
  outside: Outside,
  catalog?: readonly AnyOperation[],
): Promise<number> {
  try {
    return await perform(words, outside, catalog)
  } catch (error) {
    const { report } = await import('./report.ts')
    return report(error, words.includes('--json'), outside)
  }
}

async function perform(
  words: string[],
  outside: Outside,
  catalog?: readonly AnyOperation[],
): Promise<number> {
  const [first = '', second] = words
  if (first === '--version') return show(version, outside)
  if (first === 'help') return perform([...words.slice(1), '--help'], outside, catalog)
  const own = [`${first} ${second}`, first].find((name) => Object.hasOwn(local, name))
  if (own) return start(own, await local[own]!(), words.slice(own.split(' ').length), outside)
  const groups = await groupsOf(outside, catalog)
  if (!first) throw new WrongUsage(helpOfAll(groups))
  if (first === '--help' || first === '-h') return show(helpOfAll(groups), outside)
  const { ALIASES } = await import('../surfaces/cli/index.ts')
  const noun = Object.hasOwn(ALIASES, first) ? ALIASES[first]! : first
  const commands: Group['commands'] = Object.assign({}, ...groups.map((group) => group.commands))
  const found = find([noun, ...words.slice(1)], Object.keys(commands))
  if (found) return start(found.name, commands[found.name]!, found.rest, outside)
  const text = helpOfNoun(noun, commands)
  if (words.length > 1) return show(text, outside)
  throw new WrongUsage(text)
}

async function start(name: string, command: Command, rest: string[], outside: Outside) {
  const { values, lists } = read(name, command, rest)
  return values.help === undefined
    ? command.run(values, lists)
    : show(helpOf(name, command), outside)
}

/** Loaded only where it is needed: whoever starts a server does not wait for the client's parts. */
export async function groupsOf(
  outside: Outside,
  catalog?: readonly AnyOperation[],
): Promise<Group[]> {
  const operations = catalog ?? (await import('../catalog.ts')).catalog
  const { remote } = await import('../surfaces/cli/index.ts')
  const { completion } = await import('../surfaces/cli/completion.ts')
  const commands = remote(operations, outside)
  const loaded = Object.entries(local).map(async ([name, load]) => [name, await load()] as const)
  const onMachine: Group['commands'] = Object.fromEntries(await Promise.all(loaded))
  const all = { ...commands, ...onMachine }
  return [
    { title: 'Boards and tasks (talks to a server)', commands },
    { title: 'Running a server (on its machine)', commands: onMachine },
    { title: 'This program', commands: { completion: completion(all, outside.out) } },
  ]
}

function show(text: string, { out }: Outside): number {
  out(text.trimEnd())
  return 0
}
