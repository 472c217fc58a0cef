import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { catalog } from '../../src/catalog.ts'
import { type Format, loadConverter } from '../../src/content/index.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { corpus, type Sample } from '../content/corpus/index.ts'
import { shownOfHtml, shownOfMarkdown, unmarked, visible } from '../content/visible.ts'
import { everyNth } from '../support/scale.ts'
import { callChat, callMcp, callRest } from '../support/surface-calls.ts'
import { callCli, removeTemporaryFolders } from '../support/terminal.ts'
import { type World, world } from '../support/world.ts'

afterAll(removeTemporaryFolders)

type Send = typeof callRest
const converter = await loadConverter()
const SURFACES: Record<string, Send> = {
  REST: callRest,
  MCP: (w, actor, op, input) => callMcp(w, actor, op, input),
  CLI: callCli,
}
const WRITERS: Record<string, Send> = { ...SURFACES, chat: callChat }
const operationNamed = (name: string) =>
  (catalog as readonly AnyOperation[]).find((op) => op.name === name)!

interface Comment {
  comment_id: number
  text: string
  content_type: Format
}

/** Sends a text as a comment; the response names the format it is stored in. */
async function write(w: World, send: Send, text: string, content_type: Format | undefined) {
  const { task_id } = w.tasks.logo
  const input = { task_id, text, ...(content_type && { content_type }) }
  const { data, fault, warnings } = await send(w, w.cleo, operationNamed('comments.add'), input)
  expect([text, fault]).toEqual([text, undefined])
  expect(JSON.stringify(warnings ?? '')).not.toContain('content_changed')
  return data as Comment
}

async function latestComment(w: World, send: Send, format: Format | undefined) {
  const { task_id } = w.tasks.logo
  const input = { task_id, limit: 1, sort: 'createdAt:desc', ...(format && { format }) }
  const { data } = await send(w, w.cleo, operationNamed('comments.list'), input)
  return (data as Comment[])[0]!
}

/** Compares the visible characters of a comment with those that its author meant. */
function expectSameText(
  sample: Sample,
  storedFormat: Format,
  { text, content_type }: Comment,
): void {
  if (content_type === 'markdown' && storedFormat === 'markdown') expect(text).toBe(sample.text)
  else if (storedFormat === 'html' && content_type === 'html')
    expect(visible(text)).toBe(shownOfHtml(sample))
  else if (storedFormat === 'html')
    expect(visible(converter.html(text, 'markdown'))).toBe(shownOfHtml(sample))
  else expect(unmarked(visible(text))).toBe(shownOfMarkdown(sample))
}

for (const [surface, send] of Object.entries(WRITERS))
  describe(`a text sent over ${surface} loses no visible character`, () => {
    let w: World
    beforeAll(async () => {
      w = await world()
    })
    const testedSamples = everyNth(corpus, { sqlite: 15, postgres: 30 })
    for (const sample of testedSamples)
      test(`${sample.name}, read over every surface in every format`, async () => {
        for (const sentFormat of [undefined, 'html', 'markdown'] as const) {
          w.clock.advance(1000)
          const { content_type: storedFormat } = await write(w, send, sample.text, sentFormat)
          if (sentFormat) expect(storedFormat).toBe(sentFormat)
          for (const readOver of Object.values(SURFACES))
            for (const format of [undefined, 'html', 'markdown'] as const)
              expectSameText(sample, storedFormat, await latestComment(w, readOver, format))
        }
      })
  })
