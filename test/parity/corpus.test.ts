import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { catalog } from '../../src/catalog.ts'
import { type Format, loadConverter } from '../../src/content/index.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { overChat, overMcp, overRest } from '../ask.ts'
import { corpus, type Sample } from '../content/corpus/index.ts'
import { shownOfHtml, shownOfMarkdown, unmarked, visible } from '../content/visible.ts'
import { everyNth } from '../extent.ts'
import { overCli, sweep } from '../terminal.ts'
import { type World, world } from '../world.ts'

afterAll(sweep)

type Send = typeof overRest
const converter = await loadConverter()
const SURFACES: Record<string, Send> = {
  REST: overRest,
  MCP: (w, actor, op, input) => overMcp(w, actor, op, input),
  CLI: overCli,
}
const WRITERS: Record<string, Send> = { ...SURFACES, chat: overChat }
const opOf = (name: string) => (catalog as readonly AnyOperation[]).find((op) => op.name === name)!

interface Comment {
  comment_id: number
  text: string
  content_type: Format
}

/** Sends a text as a comment; the response names the format it is stored in. */
async function write(w: World, send: Send, text: string, content_type: Format | undefined) {
  const { task_id } = w.tasks.logo
  const input = { task_id, text, ...(content_type && { content_type }) }
  const { data, fault, warnings } = await send(w, w.cleo, opOf('comments.add'), input)
  expect([text, fault]).toEqual([text, undefined])
  expect(JSON.stringify(warnings ?? '')).not.toContain('content_changed')
  return data as Comment
}

async function latest(w: World, send: Send, format: Format | undefined) {
  const { task_id } = w.tasks.logo
  const input = { task_id, limit: 1, sort: 'createdAt:desc', ...(format && { format }) }
  const { data } = await send(w, w.cleo, opOf('comments.list'), input)
  return (data as Comment[])[0]!
}

/** Compares the visible characters of a comment with those that its author meant. */
function check(sample: Sample, stored: Format, { text, content_type }: Comment): void {
  if (content_type === 'markdown' && stored === 'markdown') expect(text).toBe(sample.text)
  else if (stored === 'html' && content_type === 'html')
    expect(visible(text)).toBe(shownOfHtml(sample))
  else if (stored === 'html')
    expect(visible(converter.html(text, 'markdown'))).toBe(shownOfHtml(sample))
  else expect(unmarked(visible(text))).toBe(shownOfMarkdown(sample))
}

for (const [from, send] of Object.entries(WRITERS))
  describe(`a text sent over ${from} loses no visible character`, () => {
    let w: World
    beforeAll(async () => {
      w = await world()
    })
    const tested = everyNth(corpus, { sqlite: 15, postgres: 30 })
    for (const sample of tested)
      test(`${sample.name}, read over every surface in every format`, async () => {
        for (const given of [undefined, 'html', 'markdown'] as const) {
          w.clock.pass(1000)
          const { content_type: stored } = await write(w, send, sample.text, given)
          if (given) expect(stored).toBe(given)
          for (const read of Object.values(SURFACES))
            for (const format of [undefined, 'html', 'markdown'] as const)
              check(sample, stored, await latest(w, read, format))
        }
      })
  })
