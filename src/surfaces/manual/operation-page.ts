import type { TSchema } from '@sinclair/typebox'
import { actionName, routeName } from '../../kernel/call-names.ts'
import { type AnyOperation, isWrite, toArray } from '../../kernel/operation.ts'

/** All operations as a list in markdown, with links to their pages. */
export const operationList = (catalog: readonly AnyOperation[]): string =>
  [
    '# Operations',
    'Every operation of this server. Each page has the routes, the tool action, the command and all fields.',
    catalog.map(({ name, summary }) => `- [${name}](/docs/api/${name}.md): ${summary}`).join('\n'),
    '',
  ].join('\n\n')

/** An operation as a small page in markdown, for readers that pay for each word. */
export function operationPage(op: AnyOperation): string {
  const { name, summary, needs, on, input, output, guard } = op
  const actions = toArray(on.mcp).map((action) => `\`${action.replace('.', ' ')}\``)
  const item = output.list ? output.properties.items.items : output
  const facts: (string | false | undefined)[] = [
    on.rest &&
      `- REST: ${toArray(on.rest)
        .map((route) => `\`${route.replace(/:(\w+)/g, '{$1}')}\``)
        .join(', ')}`,
    actions.length > 0 && `- MCP: ${actions.join(', ')}`,
    on.cli && `- Command: \`cork ${on.cli.usage}\``,
    `- Scope: \`${needs}\``,
    guard && '- Agents need a lease of each task that it changes',
    op.destroys === true && '- It deletes for good, changes access, or sends data to another host',
  ]
  return [
    `# ${name}`,
    `${summary}.`,
    facts.filter(Boolean).join('\n'),
    section('Input', fieldTable(input)),
    section(output.list ? 'Output: a list of' : 'Output', fieldTable(item)),
    section('Example', exampleOf(op)),
    '',
  ]
    .filter((part) => part !== undefined)
    .join('\n\n')
}

const section = (title: string, text: string | undefined) => text && `## ${title}\n\n${text}`

function fieldTable(schema: TSchema): string | undefined {
  const [object] = variantsOf(schema).filter(({ properties }) => properties)
  const rows = Object.entries((object?.properties ?? {}) as Record<string, TSchema>).map(
    ([name, field]) => {
      const isRequired = object!.required?.includes(name)
      const about =
        field.description ?? field.anyOf?.find((one: TSchema) => one.description)?.description
      return `| \`${name}\`${isRequired ? ' *' : ''} | ${typeOf(field)} | ${cellText(about ?? '')} |`
    },
  )
  if (!rows.length) return undefined
  return ['| field (* required) | type | |', '|---|---|---|', ...rows].join('\n')
}

const cellText = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const variantsOf = (schema: TSchema): TSchema[] => schema.anyOf?.flatMap(variantsOf) ?? [schema]

/** The type of a field in words, such as `text`, `number or null`, or the possible values. */
function typeOf(schema: TSchema): string {
  const words = variantsOf(schema).map((one) => {
    if (one.const !== undefined) return `\`${one.const}\``
    if (one.type === 'array') return `list of ${typeOf(one.items ?? {})}`
    if (one.type === 'object')
      return one.properties ? `{${Object.keys(one.properties).join(', ')}}` : 'object'
    return TYPES[one.type as string] ?? 'any'
  })
  return [...new Set(words)].join(' or ')
}

const TYPES: Record<string, string> = {
  string: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'true or false',
  null: 'null',
}

function exampleOf(op: AnyOperation): string | undefined {
  const { cli } = op.on
  const command = cli && `\`\`\`sh\ncork ${cli.usage.replace(/ [<[].*/, '')} ${cli.example}\n\`\`\``
  const call = actionName(op, isWrite(op)) ?? routeName(op, isWrite(op))
  return command?.replace(/ \n/, '\n') ?? (call && `\`${call}\``)
}
