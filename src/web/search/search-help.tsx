import { showToast } from '../frame/toasts.tsx'
import { Icon } from '../parts/icon.tsx'
import type { RelaxedQuery, useHelp } from './data.ts'
import './lessons.css'
import { OPERATORS } from './operators.ts'
import { clearRecentSearches, removeRecentSearch, useRecentSearches } from './recent.ts'

interface Props {
  onSearch(query: string): void
}

const EXAMPLES = [
  ['is:overdue assignee:me', 'What you are late with'],
  ['due:week is:open', 'What comes within a week'],
  ['has:comment updated:<7d', 'What was talked about of late'],
  ['priority:urgent,high -is:done', 'What matters and is not done'],
  ['"release notes" OR changelog', 'One of two, the first word for word'],
  ['assignee:none is:open', 'What nobody has taken'],
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
      Words are looked for in tasks, comments and pages. A minus before a word or an operator turns
      it round, quotes make a phrase, and OR stands between two of which one is enough.
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
          onClick={() => showToast('Forgot the searches', clearRecentSearches())}
        >
          Forget all
        </button>
      </h2>
      <ul className="recent">
        {searches.map((query) => (
          <li key={query}>
            <button type="button" className="again" onClick={() => onSearch(query)}>
              <Icon name="search" />
              <span dir="auto">{query}</span>
            </button>
            <button
              type="button"
              className="button quiet only"
              onClick={() => showToast('Forgot the search', removeRecentSearch(query))}
            >
              <Icon name="close" label={`Forget ${query}`} />
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
    <h2>Nothing fits “{query}”</h2>
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
      !meant && (
        <p className="soft">Fewer words find more. So does OR between them, or part of a word.</p>
      )
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
