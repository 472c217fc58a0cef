import { useLine } from '../task/line.ts'
import { Unsaved } from '../task/unsaved.tsx'
import { type Page, renamePage } from './data.ts'

const LONGEST = 500

/** The title, edited where it stands. */
export function Title({ page, isFixed }: { page: Page; isFixed: boolean }) {
  const { page_id, title } = page
  const { text, set, field, left } = useLine({
    ...{ key: `page:${page_id}:title`, before: title },
    clean: (words) => words.trim().replace(/\s+/g, ' ') || title,
    put(title, { done, lost, words }) {
      if (isFixed) return lost()
      void renamePage(page, title, words).then((isDone) => (isDone ? done() : lost()))
    },
  })
  return (
    <>
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
      {left && <Unsaved at={left.at} onEdit={left.take} onDrop={left.drop} />}
    </>
  )
}
