import { isObject, listOf, textIn, wordsOf } from '../shared/values.ts'
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
    const title = textIn(name)
    if (title) result.texts.push(itemOf(title, [], textIn(description)))
  }
  for (const { kind, values, path, text } of pages) {
    if (!kind.endsWith('milestones')) continue
    const title = textIn(values.title) || nameOf(path).title || path.replace(/\.md$/, '')
    const id = textIn(values.id) || nameOf(path).id
    if (id) result.titles.set(id.toLowerCase(), title)
    const others = Object.entries(values).filter(([name]) => name !== 'id' && name !== 'title')
    const facts = others.flatMap(([name, value]) =>
      textIn(value) ? [`${wordsOf(name)}: ${textIn(value)}`] : [],
    )
    result.texts.push(itemOf(title, facts, parseBody(text).text))
  }
  return result
}

const itemOf = (title: string, facts: readonly string[], text: string): string =>
  [`- **${title}**${facts.map((fact) => `, ${fact}`).join('')}`, ...text.split('\n')]
    .join('\n  ')
    .trimEnd()
