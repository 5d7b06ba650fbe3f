import type { BookStore } from '@slipstream/ports';
import type { Session } from '../storage/session.js';
import { allBooks, findBook, otherBooks } from './load-books.js';
import { saveBook } from './save-book.js';

export const sqlBooks = (session: Session): BookStore => ({
  find: async (strategyId) => findBook(session, strategyId),
  all: async (known) => (known?.size ? otherBooks(session, known) : allBooks(session)),
  save: async (book, changes) => saveBook(session, book, changes),
});
