import { describe, expect, test } from 'bun:test'
import { progress } from '../../src/surfaces/cli/progress.ts'
import { screenOf, table } from '../../src/surfaces/cli/table.ts'

const rows = [
  [1, 'Draw the logo', null],
  [22, 'Mend the broken link on the page about us', 'Ada'],
]
const titles = ['id', 'title', 'who']
const noColour = { colour: false }

describe('a table', () => {
  test('has aligned columns and no trailing blanks', () => {
    expect(table(rows, titles, noColour).split('\n')).toEqual([
      'ID  TITLE                                      WHO',
      '1   Draw the logo',
      '22  Mend the broken link on the page about us  Ada',
    ])
  })

  test('is truncated to the width of a terminal at its widest column', () => {
    const lines = table(rows, titles, { ...noColour, width: 30 }).split('\n')
    expect(lines[2]).toBe('22  Mend the broken link…  Ada')
    for (const width of [18, 20, 30, 41, 80])
      for (const line of table(rows, titles, { ...noColour, width }).split('\n'))
        expect(Bun.stringWidth(line)).toBeLessThanOrEqual(width)
  })

  test('counts characters that are two columns wide or have no width', () => {
    const wideRows = [
      ['日本語のタイトル', 'x'],
      ['👩‍👩‍👧‍👦 e\u0301', 'x'],
      ['plain', 'x'],
    ]
    for (const screen of [noColour, { ...noColour, width: 16 }]) {
      const lines = table(wideRows, ['a', 'b'], screen).split('\n').slice(1)
      const ends = lines.map((line) => Bun.stringWidth(line.slice(0, line.lastIndexOf('x'))))
      expect(new Set(ends).size).toBe(1)
    }
    expect(table(wideRows, ['a', 'b'], noColour)).not.toContain('…')
  })

  test('removes control characters and line breaks', () => {
    const controlCharacters = '\x1b[31mred\x1b[0m\n\ttwo\x07 \x9b2J\u0085end'
    const [, line] = table([[controlCharacters]], ['x'], noColour).split('\n')
    expect(line).toBe('red two end')
  })

  test('has colours on a terminal only, and not with NO_COLOR or TERM=dumb', () => {
    expect(screenOf({}, {})).toEqual({ colour: false })
    expect(screenOf({ isTTY: true, columns: 99 }, {})).toEqual({ colour: true, width: 99 })
    expect(screenOf({ isTTY: true }, { NO_COLOR: '1' })).toEqual({ colour: false, width: 80 })
    expect(screenOf({ isTTY: true }, { TERM: 'dumb' }).colour).toBe(false)
    expect(table(rows, titles, { colour: true })).toStartWith('\x1b[1mID')
    expect(table(rows, titles, noColour)).not.toContain('\x1b')
  })
})

describe('progress', () => {
  function startProgress(isTTY: boolean) {
    const output: string[] = []
    const clock = { now: 0 }
    const stream = { isTTY, write: (text: string) => output.push(text) }
    return { output, clock, bar: progress('Copying', 200, stream, () => clock.now) }
  }

  test('is redrawn in place on a terminal, but not too often', () => {
    const { output, clock, bar } = startProgress(true)
    bar.at(1)
    clock.now = 150
    bar.at(50)
    bar.at(51)
    clock.now = 300
    bar.at(60, '9 s left')
    bar.end('200 rows')
    expect(output.map((text) => text.replace('\r\x1b[K', '~'))).toEqual([
      '~Copying',
      '~Copying: 50 of 200 (25 %)',
      '~Copying: 60 of 200 (30 %), 9 s left',
      '~Copying: 200 rows',
      '\n',
    ])
  })

  test('is a line every few seconds without a terminal, and one at the end', () => {
    const { output, clock, bar } = startProgress(false)
    for (let done = 0; done < 200; done++) {
      clock.now += 100
      bar.at(done)
    }
    bar.end()
    expect(output).toEqual([
      'Copying: 49 of 200 (24 %)\n',
      'Copying: 99 of 200 (49 %)\n',
      'Copying: 149 of 200 (74 %)\n',
      'Copying: 199 of 200 (99 %)\n',
      'Copying: done\n',
    ])
  })
})
