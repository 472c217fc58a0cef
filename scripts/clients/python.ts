/** Writes the types and methods of the Python client from the OpenAPI document. */
import { type ApiOperation, type OpenApiDocument, operationsOf, type Schema } from './document.ts'

type Schemas = Record<string, Schema>
const KEYWORDS = [
  'from',
  'import',
  'in',
  'is',
  'not',
  'or',
  'and',
  'class',
  'def',
  'global',
  'pass',
]
const HEAD = `"""Generated from the OpenAPI document."""

# ruff: noqa

from __future__ import annotations

import typing
from typing import Any, Literal, NotRequired, TypedDict, Unpack

import httpx

from .lists import AsyncList, List
from .operations import AsyncNoun, Noun
`

export function pythonOf(document: OpenApiDocument): string {
  const { schemas } = document.components
  const operations = operationsOf(document)
  const nouns = [...new Set(operations.map(nounOf))]
  const ofNoun = (noun: string) => operations.filter((one) => nounOf(one) === noun)
  return [
    HEAD,
    ...Object.entries(schemas).map(([name, schema]) => typeDefinition(name, schema)),
    ...operations.map((one) => inputDefinition(one, schemas)),
    ...nouns.map((noun) => nounClass(noun, ofNoun(noun), false)),
    ...nouns.map((noun) => nounClass(noun, ofNoun(noun), true)),
    operationsClass('Operations', '', nouns),
    operationsClass('AsyncOperations', 'Async', nouns),
  ].join('\n\n')
}

const nounOf = ({ operationId }: ApiOperation) => operationId.split('.')[0]!
const pascal = (text: string) =>
  text.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())
const identifier = (name: string) => (KEYWORDS.includes(name) ? `${name}_` : name)

function typeDefinition(name: string, schema: Schema): string {
  if (!schema.properties) return `${name} = ${typeOf(schema, true)}`
  return typedDict(name, schema.properties, schema.required ?? [])
}

/** Written as a call, because fields may have names that no class can have. */
function typedDict(name: string, properties: Schemas, required: readonly string[]): string {
  const lines = Object.entries(properties).map(([key, schema]) => {
    const type = JSON.stringify(typeOf(schema))
    return `        "${key}": ${required.includes(key) ? type : `NotRequired[${type}]`},`
  })
  return `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('\n')}\n    },\n)`
}

/** The fields of address and body, as keyword arguments. */
function inputDefinition(operation: ApiOperation, schemas: Schemas): string {
  const { parameters, body = {} } = operation
  const { properties: bodyFields, required: requiredInBody = [] } = body.$ref
    ? (schemas[body.$ref.split('/').pop()!] ?? {})
    : body
  const addressFields = parameters.map(({ name, schema }) => [name, schema] as const)
  const properties: Schemas = { ...Object.fromEntries(addressFields), ...bodyFields }
  const requiredInAddress = parameters.filter((one) => one.required).map(({ name }) => name)
  const required = [...requiredInAddress, ...requiredInBody]
  if (operation.method !== 'GET') properties.idempotency_key = { type: 'string' }
  return typedDict(argumentsName(operation), properties, required)
}

const argumentsName = ({ operationId }: ApiOperation) => `${pascal(operationId)}Arguments`

function nounClass(noun: string, operations: ApiOperation[], isAsync: boolean): string {
  const prefix = isAsync ? 'Async' : ''
  return `class ${prefix}${pascal(noun)}Operations(${prefix}Noun):\n${operations
    .map((one) => method(one, isAsync))
    .join('\n')}`
}

function method(operation: ApiOperation, isAsync: boolean): string {
  const { operationId, path, row, data, isFile, summary } = operation
  const name = identifier(operationId.split('.').slice(1).join('_'))
  const type = row
    ? `${isAsync ? 'AsyncList' : 'List'}[${typeOf(row)}]`
    : isFile
      ? 'httpx.Response'
      : typeOf(data ?? {})
  const define = isAsync && !row ? 'async def' : 'def'
  const send = row
    ? `self._list("${path}", fields)`
    : `${isAsync ? 'await ' : ''}self._call("${operation.method}", "${path}", fields)`
  return [
    `    ${define} ${name}(self, **fields: Unpack[${argumentsName(operation)}]) -> ${type}:`,
    `        """${summary.replaceAll('"', "'")}"""`,
    `        return ${send}  # type: ignore[no-any-return]\n`,
  ].join('\n')
}

const operationsClass = (name: string, prefix: string, nouns: readonly string[]) =>
  `class ${name}:\n    def __init__(self) -> None:\n${nouns
    .map((noun) => `        self.${noun} = ${prefix}${pascal(noun)}Operations(self)`)
    .join('\n')}\n`

function typeOf(schema: Schema, isRuntime = false): string {
  const inner = (one: Schema) => typeOf(one, isRuntime)
  if (schema.$ref) return schema.$ref.split('/').pop()!
  if (schema.format === 'binary') return 'Any'
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
  if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`
  const types = [schema.type ?? []].flat()
  if (schema.anyOf && !types.length) return union(schema.anyOf.map(inner))
  return types.length ? union(types.map((type) => simpleType(type, schema, inner))) : 'Any'
}

const union = (types: string[]) => [...new Set(types)].join(' | ')
const literal = (value: unknown) =>
  value === null
    ? 'None'
    : value === true
      ? 'True'
      : value === false
        ? 'False'
        : JSON.stringify(value)

const SIMPLE: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

function simpleType(type: string, schema: Schema, inner: (one: Schema) => string): string {
  // A method named "list" hides the type within its class.
  if (type === 'array') return `typing.List[${inner(schema.items ?? {})}]`
  if (type !== 'object') return SIMPLE[type] ?? 'Any'
  const [values] = Object.values(schema.patternProperties ?? {})
  return `typing.Dict[str, ${values ? inner(values) : 'Any'}]`
}
