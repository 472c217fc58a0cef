import { parse } from 'yaml'
import { isObject, type Json } from '../shared/json.ts'

export interface Page {
  values: Json
  text: string
}

/** Some files have no line break behind it. */
const FRONT_MATTER = /^\s*---[ \t]*\n(?:([\s\S]*?)\n)?---[ \t]*\n?/

/** Parses a file with YAML above its text. Undefined if the YAML is damaged. */
export function parsePage(file: string): Page | undefined {
  const content = file.replace(/\r\n?/g, '\n')
  const match = FRONT_MATTER.exec(content)
  if (!match) return { values: {}, text: content.trim() }
  const values = parseYaml(match[1] ?? '')
  return values && { values, text: content.slice(match[0].length).trim() }
}

/** Parses YAML as people write it by hand: with names such as @ana, and colons in texts. */
export function parseYaml(yaml: string): Json | undefined {
  const text = yaml.split('\n').map(quoteNames).join('\n')
  const values = valuesOf(text) ?? valuesOf(text.split('\n').map(quoteText).join('\n'))
  return values
}

function valuesOf(yaml: string): Json | undefined {
  try {
    const values: unknown = parse(yaml, { uniqueKeys: false, logLevel: 'error' })
    if (values === null || values === undefined) return {}
    return isObject(values) ? values : undefined
  } catch {
    return undefined
  }
}

/** A name such as @ana must be in quotes in YAML. */
function quoteNames(line: string): string {
  const scalar = /^(\s*(?:[\w-]+:|-)\s+)(@.*)$/.exec(line)
  if (scalar) return scalar[1]! + JSON.stringify(scalar[2]!.trim())
  const list = /^(\s*[\w-]+:\s*)\[(.*@.*)\]\s*$/.exec(line)
  if (!list) return line
  const items = list[2]!.split(',').map((item) => item.trim())
  const quoted = items.map((item) => (item.startsWith('@') ? JSON.stringify(item) : item))
  return `${list[1]}[${quoted.join(', ')}]`
}

function quoteText(line: string): string {
  const [, name, text] = /^(\s*(?:[\w-]+:|-)\s+)([^\s"'[{|>].*)$/.exec(line) ?? []
  return name ? name + JSON.stringify(text!.trim()) : line
}
