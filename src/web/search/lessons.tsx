import { say } from '../frame/toasts.tsx'
import { Icon } from '../parts/icon.tsx'
import type { Looser, useHelp } from './data.ts'
import './lessons.css'
import { OPERATORS } from './operators.ts'
import { forgetSearch, forgetSearches, useSearches } from './recent.ts'

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

/** Nothing is looked for yet: what was, and what could be. */
export const Begin = ({ onSearch }: Props) => (
  <div className="begin">
    <Recent onSearch={onSearch} />
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
    <Operators />
  </div>
)

/** What each of them asks for. */
export const Operators = () => (
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

function Recent({ onSearch }: Props) {
  const some = useSearches()
  if (!some.length) return null
  return (
    <section aria-labelledby="recent">
      <h2 id="recent">
        Recent
        <button
          type="button"
          className="button quiet"
          onClick={() => say('Forgot the searches', forgetSearches())}
        >
          Forget all
        </button>
      </h2>
      <ul className="recent">
        {some.map((query) => (
          <li key={query}>
            <button type="button" className="again" onClick={() => onSearch(query)}>
              <Icon name="search" />
              <span dir="auto">{query}</span>
            </button>
            <button
              type="button"
              className="button quiet only"
              onClick={() => say('Forgot the search', forgetSearch(query))}
            >
              <Icon name="close" label={`Forget ${query}`} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface NothingProps extends Props {
  query: string
  meant: string | undefined
  looser: readonly Looser[]
  help: ReturnType<typeof useHelp>
}

/** What to loosen, and what the manual says of it. */
export const Nothing = ({ query, meant, looser, help, onSearch }: NothingProps) => (
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
    {looser.length > 0 ? (
      <ul>
        {looser.map(({ words, query: less, total }) => (
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
              <p className="soft">{plain(text)}</p>
            </li>
          ))}
        </ul>
      </section>
    )}
  </div>
)

const LETTERS = 160

/** How a section of the manual begins, without its marks. */
function plain(markdown: string): string {
  const text = markdown
    .replace(/```[\s\S]*?```|^#+ .*$|^\|.*$/gm, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*_>#]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return text.length > LETTERS ? `${text.slice(0, text.lastIndexOf(' ', LETTERS))}…` : text
}
