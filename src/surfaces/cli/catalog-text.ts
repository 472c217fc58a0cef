import type { AnyOperation, OperationDescription } from '../../kernel/operation.ts'

/**
 * The catalog as a text that `parseCatalog` reads. The build embeds it in the executable. Each
 * schema has its own line, so that it can be parsed when it is used.
 */
export const stringifyCatalog = (catalog: readonly AnyOperation[]): string =>
  [
    catalog.map(({ name, summary, deprecated, needs, on }) => ({
      ...{ name, summary, deprecated, needs, on },
    })),
    ...catalog.flatMap(({ input, output }) => [input, output]),
  ]
    .map((part) => JSON.stringify(part))
    .join('\n')

/** A command needs the schemas of one or two operations, and parsing all takes several times as long. */
export function parseCatalog(text: string): OperationDescription[] {
  const [operations, ...schemas] = text.split('\n')
  const schemaAt = (line: number): PropertyDescriptor => {
    let schema: unknown
    return {
      enumerable: true,
      get() {
        schema ??= JSON.parse(schemas[line]!)
        return schema
      },
    }
  }
  return (JSON.parse(operations!) as OperationDescription[]).map((operation, index) =>
    Object.defineProperties(operation, {
      input: schemaAt(2 * index),
      output: schemaAt(2 * index + 1),
    }),
  )
}
