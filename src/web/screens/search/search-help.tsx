import { Icon } from '../../kit/icon.tsx'
import { showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import type { RelaxedQuery, useHelp } from './data.ts'
import './lessons.css'
import { OPERATORS } from './operators.ts'
import { clearRecentSearches, removeRecentSearch, useRecentSearches } from './recent.ts'

interface Props {
  onSearch(query: string): void
}

const EXAMPLES = [
  ['is:overdue assignee:me', t('search.your_overdue_tasks')],
  ['due:week is:open', t('search.open_tasks_due_within_a_week')],
  ['has:comment updated:<7d', t('search.tasks_with_comments_updated_in_the_last')],
  ['priority:urgent,high -is:done', t('search.important_tasks_that_are_not_done')],
  ['"release notes" OR changelog', t('search.an_exact_phrase_or_a_word')],
  ['assignee:none is:open', t('search.open_tasks_without_an_assignee')],
] as const

/** Shown before a search: recent searches, examples and the list of operators. */
export const SearchStart = ({ onSearch }: Props) => (
  <div className="welcome">
    <RecentSearches onSearch={onSearch} />
    <section aria-labelledby="examples">
      <h2 id="examples">{t('search.try')}</h2>
      <ul className="examples">
        {EXAMPLES.map(([query, description]) => (
          <li key={query}>
            <button type="button" onClick={() => onSearch(query)}>
              <code>{query}</code>
              <span className="soft">{description}</span>
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
    <h2 id="operators">{t('search.operators')}</h2>
    <dl className="operators">
      {Object.entries(OPERATORS).map(([name, { description, values }]) => (
        <div key={name}>
          <dt>
            <code>{name}:</code>
          </dt>
          <dd>
            {description} <span className="soft">{Object.keys(values).slice(0, 4).join(' ')}</span>
          </dd>
        </div>
      ))}
    </dl>
    <p className="soft">{t('search.words_match_tasks_comments_and_pages_put')}</p>
  </section>
)

function RecentSearches({ onSearch }: Props) {
  const searches = useRecentSearches()
  if (!searches.length) return null
  return (
    <section aria-labelledby="recent">
      <h2 id="recent">
        {t('search.recent')}
        <button
          type="button"
          className="button quiet"
          onClick={() => showToast(t('search.cleared_recent_searches'), clearRecentSearches())}
        >
          {t('search.clear_all')}
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
              onClick={() =>
                showToast(t('search.removed_the_recent_search'), removeRecentSearch(query))
              }
            >
              <Icon name="close" label={t('search.remove_query', { query })} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface NoResultsProps extends Props {
  query: string
  relaxed: readonly RelaxedQuery[]
  help: ReturnType<typeof useHelp>
}

/** Shown without results: relaxed queries and sections of the manual. */
export const NoResults = ({ query, relaxed, help, onSearch }: NoResultsProps) => (
  <div className="none-found">
    <span className="pin" aria-hidden="true" />
    <h2>{t('search.no_results_for_query', { query })}</h2>
    {relaxed.length > 0 ? (
      <ul>
        {relaxed.map(({ removedOperator, query: relaxedQuery, total }) => (
          <li key={removedOperator}>
            <button type="button" className="button plain" onClick={() => onSearch(relaxedQuery)}>
              {t('search.without_words', { words: removedOperator })}
            </button>{' '}
            <span className="soft">{t('board.count_tasks', { count: total })}</span>
          </li>
        ))}
      </ul>
    ) : (
      <p className="soft">{t('search.try_fewer_words_or_between_words_or')}</p>
    )}
    {help.length > 0 && (
      <section className="help" aria-labelledby="help">
        <h3 id="help">{t('search.in_the_manual')}</h3>
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
