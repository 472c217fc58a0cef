import { type ReactNode, useMemo, useState } from 'react'
import { useAct } from '../data/cache.ts'
import { ask, wordsOf } from '../data/client.ts'
import { complain } from '../frame/toasts.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { agoWords } from '../parts/dates.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { useCalled } from './called.ts'
import { Composer } from './composer.tsx'
import { type Member, readAgain, type Task, useMe } from './data.ts'
import { Html } from './html.tsx'
import { later, notGone } from './later.ts'
import { Given, Reactions } from './reactions.tsx'
import { Rewrite, type Written } from './rewrite.tsx'
import { patchTalk, type Said } from './said.ts'

interface Props {
  said: Said
  replies?: readonly Said[]
  task: Task
  members: readonly Member[]
  onReply?(): void
}

/** What somebody said, with the answers below it. */
export function Comment({ said, replies = [], task, members, onReply }: Props) {
  const [answering, setAnswering] = useState(false)
  const [source, setSource] = useState<Source>()
  const names = useMemo(() => members.map(({ name }) => name), [members])
  const line = useCalled(said.comment_id)
  const answer = onReply ?? (() => setAnswering(true))
  const edit = () =>
    sourceOf(said.comment_id).then(setSource, (error: Error) => complain(wordsOf(error)))
  return (
    <li className="said" ref={line} data-comment={said.comment_id}>
      <Avatar actor={said.author} />
      <div className="bubble">
        <By said={said}>
          <Reactions said={said} onAnswer={answer}>
            <Deeds said={said} task={task} onEdit={() => void edit()} />
          </Reactions>
        </By>
        {source === undefined ? (
          <Html html={said.text} format={said.content_type} names={names} />
        ) : (
          <Rewrite said={said} {...source} members={members} onClose={() => setSource(undefined)} />
        )}
        <Given said={said} />
        {replies.length > 0 && (
          <ol className="replies">
            {replies.map((one) => (
              <Comment
                key={one.comment_id}
                said={one}
                task={task}
                members={members}
                onReply={answer}
              />
            ))}
          </ol>
        )}
        {answering && <Composer task={task} to={said} onClose={() => setAnswering(false)} />}
      </div>
    </li>
  )
}

interface Source {
  source: string
  written: Written
}

/** A comment as it is stored, and as markdown to edit it. */
async function sourceOf(comment_id: number): Promise<Source> {
  const written = await ask('comments.get', { comment_id })
  if (written.content_type === 'markdown') return { written, source: written.text }
  const { text } = await ask('comments.get', { comment_id, format: 'markdown' })
  return { written, source: text }
}

function By({ said, children }: { said: Said; children: ReactNode }) {
  const { author, created_at, edited_at } = said
  const { short, full } = agoWords(created_at)
  return (
    <header>
      <b>{author.name}</b>
      {author.kind === 'agent' && <span className="tag">agent</span>}
      <time className="soft" dateTime={created_at} title={full}>
        {said.comment_id < 0 ? 'sending' : short}
      </time>
      {edited_at && (
        <span className="soft" title={agoWords(edited_at).full}>
          edited
        </span>
      )}
      {said.comment_id > 0 && children}
    </header>
  )
}

function Deeds({ said, task, onEdit }: { said: Said; task: Task; onEdit(): void }) {
  const me = useMe()?.profile.user_id
  const isMine = said.author.user_id === me
  const { comment_id } = said
  const remove = useRemove(task)
  return (
    <Menu
      label="About this comment"
      trigger={
        <button type="button" className="button quiet only">
          <Icon name="dots" label={`More about what ${said.author.name} said`} />
        </button>
      }
      groups={[
        [
          ...(isMine ? [{ name: 'Edit', icon: 'pencil' as const, run: onEdit }] : []),
          {
            name: 'Copy link',
            icon: 'link' as const,
            run: () => void navigator.clipboard.writeText(said.url),
          },
        ],
        [{ name: 'Delete', icon: 'trash', run: () => remove(comment_id) }],
      ]}
    />
  )
}

function useRemove({ task_id }: Task) {
  const back = () => patchTalk(task_id, (rows) => rows)()
  const { act } = useAct('comments.delete', {
    done() {
      back()
      readAgain(task_id)
    },
    failed(error, { comment_id }) {
      notGone(`comment ${comment_id}`)
      back()
      complain(wordsOf(error))
    },
  })
  return (comment_id: number) => {
    later({
      what: `comment ${comment_id}`,
      words: 'Deleted the comment',
      run: () => act({ comment_id }),
      back,
    })
    patchTalk(task_id, (rows) => rows.filter((one) => one.comment_id !== comment_id))
  }
}
