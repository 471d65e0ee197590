//! News of a folder: from the kernel (Linux), else by checking its time often.

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime},
};

use super::Stop;

/// How often to check the folder's time, and the sign to stop.
const LOOK: Duration = Duration::from_millis(100);

/// A watch on a folder.
pub(super) struct Watch {
    folder: PathBuf,
    seen: Option<SystemTime>,
    kernel: Option<kernel::Watch>,
}

impl Watch {
    /// A watch on this folder, which need not exist yet.
    pub(super) fn on(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            seen: None,
            kernel: None,
        }
    }

    /// Counts changes from now on as news. Call this before listing the folder.
    pub(super) fn begin(&mut self) {
        if self.kernel.is_none() {
            self.kernel = kernel::Watch::on(&self.folder);
        }
        if let Some(kernel) = &self.kernel {
            kernel.forget();
        }
        self.seen = self.time();
    }

    /// Waits for news, at most this long, or until the sign to stop.
    pub(super) fn wait(&self, most: Duration, stop: &Stop) {
        let end = Instant::now() + most;
        while Instant::now() < end && self.time() == self.seen && !stop.is_set() {
            let told = match &self.kernel {
                Some(kernel) => kernel.wait(LOOK),
                None => stop.sleep(LOOK),
            };
            if told {
                return;
            }
        }
    }

    fn time(&self) -> Option<SystemTime> {
        std::fs::metadata(&self.folder)
            .and_then(|data| data.modified())
            .ok()
    }
}

#[cfg(target_os = "linux")]
mod kernel {
    use std::{
        fs::File,
        io::Read,
        os::fd::OwnedFd,
        path::Path,
        sync::{
            Arc,
            mpsc::{Receiver, sync_channel},
        },
        thread,
        time::Duration,
    };

    use rustix::fs::inotify::{self, CreateFlags, WatchFlags};

    /// The kernel's watch. A thread waits for what it tells, until the watch is taken away.
    pub(super) struct Watch {
        instance: Arc<File>,
        number: i32,
        news: Receiver<()>,
    }

    impl Watch {
        /// None if the folder does not exist or the system has no watches left.
        pub(super) fn on(folder: &Path) -> Option<Self> {
            let instance: OwnedFd = inotify::init(CreateFlags::CLOEXEC).ok()?;
            let events = WatchFlags::CREATE | WatchFlags::MOVED_TO;
            let number = inotify::add_watch(&instance, folder, events).ok()?;
            let instance = Arc::new(File::from(instance));
            // A single message is enough for any amount of news.
            let (teller, news) = sync_channel(1);
            let read = Arc::clone(&instance);
            let listen = move || {
                let mut events = [0; 4096];
                while (&*read).read(&mut events).is_ok_and(|count| count > 0) {
                    if let Err(std::sync::mpsc::TrySendError::Disconnected(())) =
                        teller.try_send(())
                    {
                        return;
                    }
                }
            };
            thread::Builder::new()
                .name("watch".to_owned())
                .spawn(listen)
                .ok()?;
            Some(Self {
                instance,
                number,
                news,
            })
        }

        pub(super) fn forget(&self) {
            while self.news.try_recv().is_ok() {}
        }

        pub(super) fn wait(&self, most: Duration) -> bool {
            self.news.recv_timeout(most).is_ok()
        }
    }

    impl Drop for Watch {
        fn drop(&mut self) {
            // A watch reports its own end last: the thread wakes up and finds nobody there.
            let _ = inotify::remove_watch(&*self.instance, self.number);
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod kernel {
    use std::{path::Path, time::Duration};

    /// Other systems have no such watch here.
    pub(super) enum Watch {}

    impl Watch {
        pub(super) fn on(_folder: &Path) -> Option<Self> {
            None
        }

        pub(super) fn forget(&self) {
            match *self {}
        }

        pub(super) fn wait(&self, _most: Duration) -> bool {
            match *self {}
        }
    }
}
