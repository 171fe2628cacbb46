/**
 * The editor of log queries. It is in a shadow root, because there its library uses a constructed style sheet. The page's
 * content security policy forbids style elements.
 */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers, tooltips } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { QueryOutline } from '../outline.js';
import { completionFor, type EditorLanguage, type NamedFilter } from './completion.js';
import { highlighting } from './languages.js';
import { theme } from './theme.js';

/** A fault in the query. */
export interface Fault {
  /** 0-based, in characters. */
  readonly offset: number;
  readonly message: string;
}

export interface QueryEditorProps {
  /** The editor's name for screen readers. To change it or the language, render the editor with a new key. */
  readonly label: string;
  readonly language: EditorLanguage;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Called on Ctrl-Enter or Cmd-Enter. */
  readonly onRun?: () => void;
  readonly outline: QueryOutline | null;
  /** That the query may name as `saved:NAME`. */
  readonly filters?: readonly NamedFilter[];
  readonly fault: Fault | null;
}

/** The word at the fault, at least one character. At the end of the text, the last character. */
const rangeOf = (text: string, offset: number): { readonly from: number; readonly to: number } => {
  if (offset >= text.length) return { from: Math.max(0, text.length - 1), to: text.length };
  const [word = ''] = /^\w*/.exec(text.slice(offset)) ?? [];
  return { from: offset, to: offset + Math.max(1, word.length) };
};

/**
 * Replaces the selection by the typed text. Chromium itself would insert an inline style, which the page's policy blocks and
 * reports.
 */
const replaceSelected = EditorView.domEventHandlers({
  beforeinput: ({ inputType, data }, view) => {
    const { main } = view.state.selection;
    if (inputType !== 'insertText' || data === null || main.empty || view.composing) return false;
    const insert = () =>
      view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, main.from, main.to, data, insert))) view.dispatch(insert());
    return true;
  },
});

const NO_FILTERS: readonly NamedFilter[] = [];

const Editor = ({ label, language, value, onChange, onRun, fault, ...names }: QueryEditorProps) => {
  const { outline, filters = NO_FILTERS } = names;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef({ onChange, onRun, outline, filters });
  latest.current = { onChange, onRun, outline, filters };
  const initial = useRef({ label, language, value });
  const isReplacing = useRef(false);

  useEffect(() => {
    if (host.current === null) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const run = (): boolean => {
      latest.current.onRun?.();
      return latest.current.onRun !== undefined;
    };
    // Synchronous, so that Ctrl-Enter right after typing runs the typed text.
    const notify = (text: string): void => {
      if (!isReplacing.current) flushSync(() => latest.current.onChange(text));
    };
    const complete = completionFor(initial.current.language, () => latest.current);
    const made = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: initial.current.value,
        extensions: [
          keymap.of([{ key: 'Mod-Enter', run }]),
          lineNumbers(),
          history(),
          drawSelection(),
          replaceSelected,
          bracketMatching(),
          closeBrackets(),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': initial.current.label, 'aria-multiline': 'true' }),
          tooltips({ position: 'absolute' }),
          // Without Tab, which moves the focus to the next field.
          keymap.of([
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...lintKeymap,
            ...historyKeymap,
            ...defaultKeymap,
          ]),
          highlighting(initial.current.language),
          // Enter takes a completion only after an arrow key chose one. Without a delay the keys work as soon as the list opens.
          autocompletion({ override: [complete], icons: false, interactionDelay: 0, selectOnOpen: false }),
          theme,
          EditorView.updateListener.of((update) => {
            if (update.docChanged) notify(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = made;
    return () => {
      made.destroy();
      view.current = null;
    };
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    isReplacing.current = true;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
    isReplacing.current = false;
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const marks =
      fault === null
        ? []
        : [{ ...rangeOf(value, fault.offset), severity: 'error' as const, message: fault.message }];
    const known = marks.filter(({ to }) => to <= editor.state.doc.length);
    editor.dispatch(setDiagnostics(editor.state, known));
  }, [fault, value]);

  return <div className="query-editor" ref={host} data-language={language} />;
};

export default Editor;
