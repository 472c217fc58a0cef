// @ts-expect-error -- an image, imported for its path only
import agents from '../../docs/screens/agents-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import audit from '../../docs/screens/audit-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import boardCalendar from '../../docs/screens/board-calendar-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import boardLanes from '../../docs/screens/board-lanes-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import board from '../../docs/screens/board-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import boardLimit from '../../docs/screens/board-limit-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import boardPlaybook from '../../docs/screens/board-playbook-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import boardSettings from '../../docs/screens/board-settings-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import boardTimeline from '../../docs/screens/board-timeline-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import chatConfirm from '../../docs/screens/chat-confirm-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import chat from '../../docs/screens/chat-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import inbox from '../../docs/screens/inbox-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import mine from '../../docs/screens/mine-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import page from '../../docs/screens/page-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import pageVersions from '../../docs/screens/page-versions-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import palette from '../../docs/screens/palette-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import peek from '../../docs/screens/peek-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import report from '../../docs/screens/report-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import reportsCumulative from '../../docs/screens/reports-cumulative-light.png' with {
  type: 'file',
}
// @ts-expect-error -- as above
import reportsFlow from '../../docs/screens/reports-flow-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import reportsTime from '../../docs/screens/reports-time-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import run from '../../docs/screens/run-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import search from '../../docs/screens/search-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import settingsMcp from '../../docs/screens/settings-mcp-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import settingsSkills from '../../docs/screens/settings-skills-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import team from '../../docs/screens/team-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import timePanel from '../../docs/screens/time-panel-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import timer from '../../docs/screens/timer-light.png' with { type: 'file' }
// @ts-expect-error -- as above
import viewEditor from '../../docs/screens/view-editor-light.png' with { type: 'file' }
import { type Article, articlesOf } from './articles.ts'
import { packDocs } from './docs.ts' with { type: 'macro' }
import { unpackDocs } from './docs.ts'
import { type Find, finderOf, type ManualMatch } from './finder.ts'
import { addressOf, htmlOf, withServerLinks } from './html.ts'

export type { Article, Section } from './articles.ts'
export type { ManualMatch } from './finder.ts'

const PICTURES: Record<string, string> = {
  'screens/agents-light.png': agents,
  'screens/audit-light.png': audit,
  'screens/board-calendar-light.png': boardCalendar,
  'screens/board-lanes-light.png': boardLanes,
  'screens/board-light.png': board,
  'screens/board-limit-light.png': boardLimit,
  'screens/board-playbook-light.png': boardPlaybook,
  'screens/board-settings-light.png': boardSettings,
  'screens/board-timeline-light.png': boardTimeline,
  'screens/chat-confirm-light.png': chatConfirm,
  'screens/chat-light.png': chat,
  'screens/inbox-light.png': inbox,
  'screens/mine-light.png': mine,
  'screens/page-light.png': page,
  'screens/page-versions-light.png': pageVersions,
  'screens/palette-light.png': palette,
  'screens/peek-light.png': peek,
  'screens/report-light.png': report,
  'screens/reports-cumulative-light.png': reportsCumulative,
  'screens/reports-flow-light.png': reportsFlow,
  'screens/reports-time-light.png': reportsTime,
  'screens/run-light.png': run,
  'screens/search-light.png': search,
  'screens/settings-mcp-light.png': settingsMcp,
  'screens/settings-skills-light.png': settingsSkills,
  'screens/team-light.png': team,
  'screens/time-panel-light.png': timePanel,
  'screens/timer-light.png': timer,
  'screens/view-editor-light.png': viewEditor,
}

/** The product's own docs, embedded in the executable. */
export interface Manual {
  /** In reading order, the table of contents first. */
  articles: readonly Article[]
  html(article: Article): Promise<string>
  find(query: string, limit: number): Promise<ManualMatch[]>
  addressOf: typeof addressOf
  linked: typeof withServerLinks
  /** A picture of the docs by its path there. */
  picture(name: string): Promise<Uint8Array> | undefined
}

let manual: Manual | undefined

/** Creates the manual on first use. */
export function openManual(): Manual {
  manual ??= createManual(articlesOf(unpackDocs(packDocs())))
  return manual
}

function createManual(articles: readonly Article[]): Manual {
  const pages = new Map<Article, Promise<string>>()
  let finder: Promise<Find> | undefined
  return {
    articles,
    addressOf,
    linked: withServerLinks,
    html(article) {
      const html = pages.get(article) ?? htmlOf(article)
      pages.set(article, html)
      return html
    },
    async find(query, limit) {
      finder ??= finderOf(articles)
      return (await finder)(query, limit)
    },
    picture: (name) =>
      Object.hasOwn(PICTURES, name) ? Bun.file(PICTURES[name]!).bytes() : undefined,
  }
}
