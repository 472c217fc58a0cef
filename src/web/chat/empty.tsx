import type { Now } from './now.ts'

interface Props {
  current: Now
  onSay(words: string): void
}

const OF_TASK = ['Sum up what was said here', 'What is still missing?', 'Split it into sub-tasks']
const OF_BOARD = [
  'What is late, and whose is it?',
  'Plan this week',
  'What happened since yesterday?',
]
const OF_ALL = ['What should I do next?', 'What waits for me?']

/** What can be asked, where nothing was yet. */
export function Begin({ current, onSay }: Props) {
  const { task, name } = current.about
  const some = task ? OF_TASK : name ? OF_BOARD : OF_ALL
  return (
    <div className="begin">
      <p className="lead">Ask about {name ?? 'your boards'}, or say what is to be done.</p>
      <ul>
        {some.map((words) => (
          <li key={words}>
            <button type="button" className="button plain" onClick={() => onSay(words)}>
              {words}
            </button>
          </li>
        ))}
      </ul>
      <p className="soft">
        It acts as you, with your rights, and asks before it changes anything. <b>/</b> calls a
        skill, <b>@</b> names people and tasks.
      </p>
    </div>
  )
}
