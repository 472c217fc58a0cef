import {
  applyEdits,
  type FormattingOptions,
  findNodeAtLocation,
  type JSONPath,
  modify,
  type Node,
  parseTree,
} from 'jsonc-parser'

/** Sets or removes (undefined) a value in a JSON text. Everything else in it stays as it is. */
export function editJson(text: string, path: JSONPath, value: unknown): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const content = text.slice(mark.length)
  const root = parseTree(content)
  const parent = root && findNodeAtLocation(root, path.slice(0, -1))
  const isLine = parent !== undefined && !textOf(content, parent).includes('\n')
  const name = path.at(-1)
  const isNew = parent?.type === 'object' && !memberOf(parent, name)
  if (isLine && isNew && value !== undefined)
    return mark + addToLine(content, parent, String(name), value)
  return mark + applyEdits(content, modify(content, path, value, isLine ? {} : optionsFor(content)))
}

/** Adds an item at the end of a list. */
export function appendJson(text: string, path: JSONPath, item: unknown): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const content = text.slice(mark.length)
  const options = { ...optionsFor(content), isArrayInsertion: true }
  return mark + applyEdits(content, modify(content, [...path, -1], item, options))
}

const textOf = (text: string, { offset, length }: Node) => text.slice(offset, offset + length)

const memberOf = ({ children = [] }: Node, name: unknown) =>
  children.find((member) => member.children?.[0]?.value === name)

/** Adds a member to an object that is written in one line, with the spaces that it has. */
function addToLine(text: string, object: Node, name: string, value: unknown): string {
  const last = object.children?.at(-1)
  const first = object.children?.[0]
  const hasSpaces = first !== undefined && /^"(?:[^"\\]|\\.)*":\s/.test(textOf(text, first))
  const end = last ? last.offset + last.length : object.offset + 1
  const member = `${JSON.stringify(name)}:${hasSpaces ? ' ' : ''}${JSON.stringify(value)}`
  const comma = last ? (hasSpaces ? ', ' : ',') : ''
  return text.slice(0, end) + comma + member + text.slice(end)
}

/** Text in one line stays in one line. */
function optionsFor(text: string): { formattingOptions?: FormattingOptions } {
  const indent = /\n([ \t]+)"/.exec(text)?.[1]
  if (indent === undefined) return {}
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const insertSpaces = !indent.startsWith('\t')
  const tabSize = insertSpaces ? indent.length : 1
  return { formattingOptions: { insertSpaces, tabSize, eol } }
}
