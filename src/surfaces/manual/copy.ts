/** The only script of the manual: adds a copy button to code blocks if the browser supports it. */
export const COPY = `if (navigator.clipboard)
  for (const pre of document.querySelectorAll('main pre')) {
    const holder = document.createElement('div')
    const button = document.createElement('button')
    holder.className = 'code'
    button.className = 'copy'
    button.type = 'button'
    button.textContent = 'Copy'
    pre.replaceWith(holder)
    holder.append(pre, button)
    button.addEventListener('click', async () => {
      let label = 'Copied'
      try {
        await navigator.clipboard.writeText(pre.textContent)
      } catch {
        label = 'Copy failed'
      }
      button.textContent = label
      setTimeout(() => { button.textContent = 'Copy' }, 1500)
    })
  }
`
