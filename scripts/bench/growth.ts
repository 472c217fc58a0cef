import { AROUND, COMMENT } from './around.ts'
import { inTurn, load, requestOf } from './client.ts'
import type { Bench, House } from './house.ts'
import type { Row } from './report.ts'
import { changes, comments, creates, gets, lists, onOne, patches } from './requests.ts'
import { byMedianTime, sideBySide } from './sample.ts'
import { chance } from './words.ts'

const CALLERS = 16

/** The same asked of a small and of a large board, while tasks of either change. */
const ASKED: Record<string, (house: House) => () => Buffer> = {
  'create a task': (house) => creates(onOne(house)),
  'get a task': (house) => gets(house),
  'list 50 tasks': (house) => lists(house),
  'change title and priority': changes,
  'move to another column': (house) =>
    patches(house, (at) => {
      const { sections } = house.boards[0]!
      return { section_id: sections[at % sections.length] }
    }),
  'search for two words': ({ boards, api_key }) => {
    const { words } = chance(4)
    const path = `/api/v1/tasks?project_id=${boards[0]!.project_id}&limit=20&query=`
    const ask = () => requestOf('GET', path + encodeURIComponent(words(2)), { token: api_key })
    return inTurn(Array.from({ length: 50 }, ask))
  },
  ...AROUND,
  [COMMENT]: comments,
}
/** These write more than they find: on databases of their own, so that the others keep their size. */
const GROWING = ['create a task', COMMENT]

export async function growth(bench: Bench): Promise<Row[]> {
  const steady = [await bench.small(), await bench.large()] as const
  const growing = [await bench.growing('small'), await bench.growing('large')] as const
  const rows: Row[] = []
  for (const [what, requests] of Object.entries(ASKED)) {
    const [small, large] = GROWING.includes(what) ? growing : steady
    const at = (target: House) =>
      load({ target, connections: CALLERS, next: requests(target), beside: changes(target) })
    const runs = { base: at(small), subject: at(large) }
    rows.push({
      ...{ group: 'growth', what, connections: CALLERS, unit: '×' },
      yardstick: `${bench.sizes.small} tasks, p50`,
      ...(await sideBySide(bench.pace, runs, byMedianTime)),
    })
  }
  return rows
}
