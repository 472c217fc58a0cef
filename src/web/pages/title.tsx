import { useLine } from '../task/line.ts'
import { changePage, type Page } from './data.ts'

const LONGEST = 500

/** The title, edited where it stands. */
export function Title({ page, isFixed }: { page: Page; isFixed: boolean }) {
  const { page_id, title } = page
  const { text, set, field } = useLine({
    ...{ key: `page:${page_id}:title`, before: title },
    clean: (words) => words.trim().replace(/\s+/g, ' ') || title,
    put(words, done, lost) {
      if (isFixed) return lost()
      void changePage(page, { title: words }, { title: words }).then((receipt) =>
        receipt ? done() : lost(),
      )
    },
  })
  return (
    <div className="title" dir="auto" data-text={`${text} `}>
      <h1 className="unseen">{title}</h1>
      <textarea
        rows={1}
        dir="auto"
        aria-label="Title"
        maxLength={LONGEST}
        readOnly={isFixed}
        {...field}
        onChange={({ target }) => set(target.value.replace(/\n/g, ' '))}
      />
    </div>
  )
}
