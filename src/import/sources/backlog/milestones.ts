import { isObject, listOf, stringOf } from '../shared/json.ts'
import { wordsOf } from '../shared/names.ts'
import { parseBody } from './body.ts'
import type { Folder } from './folders.ts'
import { nameOf } from './ids.ts'

interface Milestones {
  /** By the ids in lower case. */
  titles: Map<string, string>
  /** What the board says about each of them. */
  texts: string[]
}

export function milestonesOf({ config, pages }: Folder): Milestones {
  const result: Milestones = { titles: new Map(), texts: [] }
  for (const milestone of listOf(config.milestones)) {
    const { name, description } = isObject(milestone) ? milestone : { name: milestone }
    const title = stringOf(name)
    if (title) result.texts.push(itemOf(title, [], stringOf(description)))
  }
  for (const { kind, values, path, text } of pages) {
    if (!kind.endsWith('milestones')) continue
    const title = stringOf(values.title) || nameOf(path).title || path.replace(/\.md$/, '')
    const id = stringOf(values.id) || nameOf(path).id
    if (id) result.titles.set(id.toLowerCase(), title)
    const others = Object.entries(values).filter(([name]) => name !== 'id' && name !== 'title')
    const facts = others.flatMap(([name, value]) =>
      stringOf(value) ? [`${wordsOf(name)}: ${stringOf(value)}`] : [],
    )
    result.texts.push(itemOf(title, facts, parseBody(text).text))
  }
  return result
}

const itemOf = (title: string, facts: readonly string[], text: string): string =>
  [`- **${title}**${facts.map((fact) => `, ${fact}`).join('')}`, ...text.split('\n')]
    .join('\n  ')
    .trimEnd()
