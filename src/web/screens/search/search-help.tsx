import { Icon } from '../../kit/icon.tsx'
import { showToast } from '../../kit/toasts.tsx'
import type { RelaxedQuery, useHelp } from './data.ts'
import './lessons.css'
import { OPERATORS } from './operators.ts'
import { clearRecentSearches, removeRecentSearch, useRecentSearches } from './recent.ts'

interface Props {
  onSearch(query: string): void
}

const EXAMPLES = [
  ['is:overdue assignee:me', 'Your overdue tasks'],
  ['due:week is:open', 'Open tasks due within a week'],
  ['has:comment updated:<7d', 'Tasks with comments, updated in the last 7 days'],
  ['priority:urgent,high -is:done', 'Important tasks that are not done'],
  ['"release notes" OR changelog', 'An exact phrase or a word'],
  ['assignee:none is:open', 'Open tasks without an assignee'],
] as const

/** Shown before a search: recent searches, examples and the list of operators. */
export const SearchStart = ({ onSearch }: Props) => (
  <div className="begin">
    <RecentSearches onSearch={onSearch} />
    <section aria-labelledby="examples">
      <h2 id="examples">Try</h2>
      <ul className="examples">
        {EXAMPLES.map(([query, says]) => (
          <li key={query}>
            <button type="button" onClick={() => onSearch(query)}>
              <code>{query}</code>
              <span className="soft">{says}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
    <OperatorList />
  </div>
)

/** The reference of search operators. */
export const OperatorList = () => (
  <section aria-labelledby="operators">
    <h2 id="operators">Operators</h2>
    <dl className="operators">
      {Object.entries(OPERATORS).map(([name, { says, values }]) => (
        <div key={name}>
          <dt>
            <code>{name}:</code>
          </dt>
          <dd>
            {says} <span className="soft">{Object.keys(values).slice(0, 4).join(' ')}</span>
          </dd>
        </div>
      ))}
    </dl>
    <p className="soft">
      Words match tasks, comments and pages. Put a minus before a word or an operator to exclude it,
      quotes around an exact phrase, and OR between alternatives.
    </p>
  </section>
)

function RecentSearches({ onSearch }: Props) {
  const searches = useRecentSearches()
  if (!searches.length) return null
  return (
    <section aria-labelledby="recent">
      <h2 id="recent">
        Recent
        <button
          type="button"
          className="button quiet"
          onClick={() => showToast('Cleared recent searches', clearRecentSearches())}
        >
          Clear all
        </button>
      </h2>
      <ul className="recent">
        {searches.map((query) => (
          <li key={query}>
            <button type="button" className="again" onClick={() => onSearch(query)}>
              <Icon name="search" />
              <span className="truncate" dir="auto">
                {query}
              </span>
            </button>
            <button
              type="button"
              className="button quiet only"
              onClick={() => showToast('Removed the recent search', removeRecentSearch(query))}
            >
              <Icon name="close" label={`Remove ${query}`} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface NoResultsProps extends Props {
  query: string
  meant: string | undefined
  relaxed: readonly RelaxedQuery[]
  help: ReturnType<typeof useHelp>
}

/** Shown without results: a corrected spelling, relaxed queries and sections of the manual. */
export const NoResults = ({ query, meant, relaxed, help, onSearch }: NoResultsProps) => (
  <div className="none-found">
    <span className="pin" aria-hidden="true" />
    <h2>No results for “{query}”</h2>
    {meant && (
      <p>
        Did you mean{' '}
        <button type="button" className="button plain" onClick={() => onSearch(meant)}>
          {meant}
        </button>
      </p>
    )}
    {relaxed.length > 0 ? (
      <ul>
        {relaxed.map(({ words, query: less, total }) => (
          <li key={words}>
            <button type="button" className="button plain" onClick={() => onSearch(less)}>
              Without {words}
            </button>{' '}
            <span className="soft">
              {total} {total === 1 ? 'task' : 'tasks'}
            </span>
          </li>
        ))}
      </ul>
    ) : (
      !meant && <p className="soft">Try fewer words, OR between words, or only part of a word.</p>
    )}
    {help.length > 0 && (
      <section className="help" aria-labelledby="help">
        <h3 id="help">In the manual</h3>
        <ul>
          {help.map(({ url, heading, article, text }) => (
            <li key={url}>
              <a href={new URL(url).pathname + new URL(url).hash} target="_blank" rel="noreferrer">
                {heading || article}
              </a>
              <p className="soft">{plainText(text)}</p>
            </li>
          ))}
        </ul>
      </section>
    )}
  </div>
)

const MAX_CHARS = 160

/** The beginning of a manual section as plain text. */
function plainText(markdown: string): string {
  const text = markdown
    .replace(/```[\s\S]*?```|^#+ .*$|^\|.*$/gm, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*_>#]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return text.length > MAX_CHARS ? `${text.slice(0, text.lastIndexOf(' ', MAX_CHARS))}…` : text
}
